import { partitionPoint } from '../../lib/partition-point.ts'

/** Equal submissions within this time are likely duplicates (docs/forms.md, "Likely duplicates"). */
export const duplicateWithinMs = 10 * 60_000

/** One of several submissions with the same fingerprint. */
export interface Repeat {
  sequence: number
  id: string
  receivedAt: number
  /** Sequence of the entry that made it count: its own, or its release. */
  countedBy: number
  duplicateOf: string | null
}

/**
 * Relinks duplicates after their original was erased. The earliest one left becomes the lead. Nothing becomes a duplicate by
 * this, and a duplicate of an expired record stays one, because that record stays counted.
 */
export function relinked(left: readonly Repeat[], gone: readonly Repeat[]): Map<Repeat, string | null> {
  const known = new Set([...left, ...gone].map(({ id }) => id))
  const goneIds = new Set(gone.map(({ id }) => id))
  const goneInOrder = gone.toSorted(byReceipt)
  const isRelinkable = ({ duplicateOf }: Repeat) => duplicateOf !== null && known.has(duplicateOf)
  const settled = left.filter((repeat) => !isRelinkable(repeat)).toSorted(byReceipt)
  const changes = new Map<Repeat, string | null>()
  for (const repeat of left.filter(isRelinkable).sort(byProcessing)) {
    const earlier = nearest(settled, repeat)
    const isFreed = goneIds.has(repeat.duplicateOf ?? '') || nearest(goneInOrder, repeat) !== undefined
    const original = earlier === undefined ? (isFreed ? null : repeat.duplicateOf) : (earlier.duplicateOf ?? earlier.id)
    if (original !== repeat.duplicateOf) changes.set(repeat, original)
    settled.splice(firstFrom(settled, repeat.receivedAt + 1), 0, { ...repeat, duplicateOf: original })
  }
  return changes
}

const byReceipt = (one: Repeat, other: Repeat): number =>
  one.receivedAt - other.receivedAt || one.sequence - other.sequence

/** The order in which they were counted. */
const byProcessing = (one: Repeat, other: Repeat): number => one.countedBy - other.countedBy

/** The first submission received within the window around this one. */
function nearest(inOrder: readonly Repeat[], { receivedAt }: Repeat): Repeat | undefined {
  const first = inOrder[firstFrom(inOrder, receivedAt - duplicateWithinMs)]
  return first !== undefined && first.receivedAt <= receivedAt + duplicateWithinMs ? first : undefined
}

const firstFrom = (inOrder: readonly Repeat[], at: number): number =>
  partitionPoint(inOrder, ({ receivedAt }) => receivedAt < at)

import { partitionPoint } from '../../lib/partition-point.ts'

/** Two submissions that say the same within this time are most likely one (docs/forms.md, "Likely duplicates"). */
export const duplicateWithinMs = 10 * 60_000

/** One of the submissions that have a fingerprint in common. */
export interface Repeat {
  sequence: number
  id: string
  /** Epoch milliseconds. */
  receivedAt: number
  /** Sequence of the entry by which it came to count: its own, or that of its release. */
  countedBy: number
  duplicateOf: string | null
}

/**
 * What those that are left repeat once others are gone, where that has changed: the nearest of the others told that they
 * repeat something, or were it. Nothing becomes a duplicate by that, and what repeats a record that has expired does so still,
 * since that stays counted.
 */
export function toldAgain(left: readonly Repeat[], gone: readonly Repeat[]): Map<Repeat, string | null> {
  const known = new Set([...left, ...gone].map(({ id }) => id))
  const goneIds = new Set(gone.map(({ id }) => id))
  const goneInOrder = gone.toSorted(byReceipt)
  const isToBeTold = ({ duplicateOf }: Repeat) => duplicateOf !== null && known.has(duplicateOf)
  const told = left.filter((repeat) => !isToBeTold(repeat)).toSorted(byReceipt)
  const changes = new Map<Repeat, string | null>()
  for (const repeat of left.filter(isToBeTold).sort(byProcessing)) {
    const earlier = nearest(told, repeat)
    const isFreed = goneIds.has(repeat.duplicateOf ?? '') || nearest(goneInOrder, repeat) !== undefined
    const original = earlier === undefined ? (isFreed ? null : repeat.duplicateOf) : (earlier.duplicateOf ?? earlier.id)
    if (original !== repeat.duplicateOf) changes.set(repeat, original)
    told.splice(firstFrom(told, repeat.receivedAt + 1), 0, { ...repeat, duplicateOf: original })
  }
  return changes
}

const byReceipt = (one: Repeat, other: Repeat): number =>
  one.receivedAt - other.receivedAt || one.sequence - other.sequence

/** The order in which they came to be counted. */
const byProcessing = (one: Repeat, other: Repeat): number => one.countedBy - other.countedBy

/** The first of those that were received within the time around it. */
function nearest(inOrder: readonly Repeat[], { receivedAt }: Repeat): Repeat | undefined {
  const first = inOrder[firstFrom(inOrder, receivedAt - duplicateWithinMs)]
  return first !== undefined && first.receivedAt <= receivedAt + duplicateWithinMs ? first : undefined
}

const firstFrom = (inOrder: readonly Repeat[], at: number): number =>
  partitionPoint(inOrder, ({ receivedAt }) => receivedAt < at)

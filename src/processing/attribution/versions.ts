import type { Entry } from '../../ledger/entry.ts'

/** A version of a split page (docs/splits.md), and when a visit was first shown it, or what was sent from it came; epoch milliseconds. */
export interface ShownVersion {
  at: number
  split: string
  variant: string
}

/** The version that a record names itself; `null`: none. */
export function recordedVersion({ source, receivedAt }: Pick<Entry, 'source' | 'receivedAt'>): ShownVersion | null {
  const { split, variant } = source
  return split && variant ? { at: receivedAt, split, variant } : null
}

/** Each version once, as it was first shown, in that order. */
export function withVersion(shown: readonly ShownVersion[], version: ShownVersion): readonly ShownVersion[] {
  const known = shown.find(({ split, variant }) => split === version.split && variant === version.variant)
  if (known !== undefined && known.at <= version.at) return shown
  return [...shown.filter((other) => other !== known), version].sort(byTime)
}

/**
 * The versions that a submission follows: one of each split page, in order.
 *
 * @param shown to its visit until then; of a page with several, the latest
 * @param known the one that it was sent from, or those that it is known to follow
 */
export function versionsFollowed(
  shown: readonly ShownVersion[],
  known: readonly ShownVersion[],
): readonly ShownVersion[] {
  const bySplit = new Map([...shown, ...known].map((version) => [version.split, version]))
  return [...bySplit.values()].sort(byTime)
}

const byTime = (one: ShownVersion, other: ShownVersion): number => one.at - other.at

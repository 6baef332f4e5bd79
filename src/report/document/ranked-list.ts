/** The most rows of a list of names; strangers may send any number of names. */
const rowsMax = 15

export interface RankedRow {
  name: string
  count: number
  /** `null`: there is nothing to compare with. */
  before: number | null
  /** Share of the longest bar, 0 to 1. */
  share: number
}

/** The first names of a list, and the sum of the others. */
export interface RankedList {
  rows: RankedRow[]
  more: { names: number; count: number } | null
}

/** A named figure; `key` identifies it in the previous period. */
export interface Named {
  key: string
  name: string
  count: number
}

/** @param before of the previous period; `null`: there is nothing to compare with */
export function rankedList(now: readonly Named[], before: readonly Named[] | null): RankedList {
  const counted = now.filter(({ count }) => count > 0)
  const earlier = before && new Map(before.map(({ key, count }) => [key, count]))
  const most = counted.reduce((most, { count }) => Math.max(most, count), 1)
  // A row that says "1 more" could be that one.
  const shown = counted.length === rowsMax + 1 ? rowsMax + 1 : rowsMax
  const rows = counted.slice(0, shown).map(({ key, name, count }) => ({
    name: shownName(name),
    count,
    before: earlier && (earlier.get(key) ?? 0),
    share: count / most,
  }))
  const rest = counted.slice(shown)
  return { rows, more: rest.length === 0 ? null : { names: rest.length, count: sum(rest) } }
}

const sum = (rows: readonly Named[]): number => rows.reduce((sum, { count }) => sum + count, 0)

/** Control characters, line separators, and characters that turn the direction of the text around them. */
const misleading = /[\p{Cc}\u2028\u2029\p{Bidi_Control}]/gu

/** A name that may come from a stranger, as one line with one text direction. */
export const shownName = (name: string): string => name.replace(misleading, '\uFFFD')

import type { CameFrom, Happening } from '../month/happening.ts'

/** The first and the last way on which somebody came; the last that says something, if any does. */
export interface Ways {
  first: CameFrom | null
  last: CameFrom | null
}

/** `happenings`: those that could tell, in the order of time. */
export function waysOf(happenings: readonly Happening[]): Ways {
  const ways = happenings.flatMap((happening): CameFrom[] => {
    if (happening.kind === 'submission' || happening.kind === 'refusal') return []
    return happening.from === null ? [] : [happening.from]
  })
  const first = ways[0] ?? null
  return { first, last: ways.findLast(({ source }) => source !== 'direct') ?? first }
}

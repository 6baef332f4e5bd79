import type { Clock } from '../../lib/clock.ts'

/** A page is there within 50 ms (docs/console.md), whatever is searched for: half of it is the search's. */
export const searchMsMax = 25

/** A part of a list, and where the next one begins; `null`: this is the last. */
interface Part<T> {
  found: T[]
  next: string | null
}

/** One page of a list that is searched part by part: a page of a search has fewer when the search took its time. */
export async function pageInTime<T>(
  { limit, behind }: { limit: number; behind: string | null },
  clock: Pick<Clock, 'monotonicMs'>,
  look: (behind: string | null, limit: number) => Promise<Part<T>>,
): Promise<Part<T>> {
  const begunMs = clock.monotonicMs()
  const page: Part<T> = { found: [], next: behind }
  do {
    const { found, next } = await look(page.next, limit - page.found.length)
    page.found.push(...found)
    page.next = next
  } while (page.next !== null && page.found.length < limit && clock.monotonicMs() - begunMs < searchMsMax)
  return page
}

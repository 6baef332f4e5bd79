import { nearest } from '../lib/suggestion.ts'

/** A missing name is compared with every existing one. Beyond this many, a suggestion is not worth the wait. */
const comparedNamesMax = 1000

/** A suggestion to append to the message that a name is not in the folder. */
export function didYouMean(name: string, there: ReadonlyMap<string, unknown>): string {
  const meant = there.size > comparedNamesMax ? null : nearest(name, there.keys())
  return meant === null ? '' : `; did you mean ${meant}?`
}

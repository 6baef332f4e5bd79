import { nearest } from '../lib/suggestion.ts'

/** Each name that is not there is compared with every one that is: beyond this many, no guess is worth the wait. */
const comparedNamesMax = 1000

/** What to add to the sentence that a name is not in the folder. */
export function didYouMean(name: string, there: ReadonlyMap<string, unknown>): string {
  const meant = there.size > comparedNamesMax ? null : nearest(name, there.keys())
  return meant === null ? '' : `; did you mean ${meant}?`
}

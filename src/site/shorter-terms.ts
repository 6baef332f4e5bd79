import type { RetentionSettings } from '../account/account.ts'

type TermName = 'submissions' | 'events' | 'refused'

const daysOf = (terms: RetentionSettings): [TermName, number][] => [
  ['submissions', terms.submissionsDays ?? Number.POSITIVE_INFINITY],
  ['events', terms.eventsDays ?? Number.POSITIVE_INFINITY],
  ['refused', terms.refusedDays],
]

/** The classes of records whose term is new or shorter: they are deleted sooner. @param before `null`: a new account */
export function shorterTermsOf(before: RetentionSettings | null, after: RetentionSettings): TermName[] {
  const known = new Map(daysOf(before ?? after))
  return daysOf(after).flatMap(([name, days]) => (days < (known.get(name) ?? 0) ? [name] : []))
}

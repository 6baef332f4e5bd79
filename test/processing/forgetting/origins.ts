import type { Touch } from '../../../src/processing/attribution/touch.ts'
import type { SubmissionOrigin } from '../../../src/processing/submissions/submission-fact.ts'

/** A touch received then, epoch milliseconds. */
export const touchAt = (at: number): Touch => ({
  at: new Date(at).toISOString(),
  via: 'page_view',
  source: `source-${at}`,
  medium: 'referral',
  campaign: null,
  term: null,
  content: null,
  clickIds: {},
  referrer: null,
  url: null,
})

/** An origin whose parts were received at these times. */
export const leadOrigin = ({ first, last, page }: { first: number; last: number; page: number }): SubmissionOrigin => ({
  first: touchAt(first),
  last: touchAt(last),
  page: { at: page, slug: 'spring', sha256: 'aa' },
})

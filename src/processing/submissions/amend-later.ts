import type { Entry } from '../../ledger/entry.ts'
import type { Device } from '../devices.ts'
import type { ProcessedAccount } from '../processed-account.ts'
import type { ProcessingState } from '../processing-state.ts'
import type { SubmissionFact, SubmissionOrigin } from './submission-fact.ts'
import { countedNames, isSameLead, leadFigures, submissionOrigin } from './submission-origin.ts'

/**
 * Limits the later submissions amended, nearest first. Records are only slightly late; more submissions follow only
 * where the clock was set back, and then each view would go through everything the device ever sent.
 */
export const amendedMax = 20

/**
 * A page view may be committed after a submission that followed it (contract section 6). The submission's origin is
 * then amended, and its lead moves to that source.
 */
export function amendLaterSubmissions(
  entry: Exclude<Entry, { kind: 'submission' }>,
  { account, device }: { account: ProcessedAccount; device: Device },
  state: ProcessingState,
): void {
  const { later } = state.submissions
  const after = { at: entry.receivedAt, id: entry.id }
  for (const submission of later.of({ device: device.key, after, limit: amendedMax })) {
    const { page, counted: before } = submission.fact
    const derived = submissionOrigin(device, submission.receipt, state)
    const origin = { ...derived, page: derived.page ?? page }
    const counted = recounted(before, origin, { account, state })
    if (before !== null && counted !== null) moveLead(before, counted, { account, state })
    later.amend(submission, { ...origin, counted })
  }
}

interface Books {
  account: ProcessedAccount
  state: ProcessingState
}

type Counted = NonNullable<SubmissionFact['counted']>

/** A likely duplicate counts for no source. */
function recounted(counted: Counted | null, origin: SubmissionOrigin, { account, state }: Books): Counted | null {
  if (counted === null || counted.lead === null) return counted
  return { ...counted, lead: countedNames(origin, { accountId: account.id, day: counted.day }, state) }
}

function moveLead(before: Counted, after: Counted, { account, state }: Books): void {
  if (before.lead === null || after.lead === null || isSameLead(before.lead, after.lead)) return
  const { figures } = state
  for (const figure of leadFigures(before.lead)) figures.add(account.id, { ...figure, day: before.day, count: -1 })
  for (const figure of leadFigures(after.lead)) figures.add(account.id, { ...figure, day: after.day, count: 1 })
}

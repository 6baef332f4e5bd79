import type { Hit } from '../attribution/touch.ts'
import type { Device } from '../devices.ts'
import { type CountedSubmission, figuresOfLead, isSameLead, type LeadNames, leadNames } from '../figures/measures.ts'
import { type ProcessedAccount, type Receipt, receiptOf } from '../ledger-item.ts'
import type { ProcessingState } from '../processing-state.ts'
import type { AmendableSubmission, SubmissionFact, SubmissionOrigin } from './submissions.ts'

/** A submission's origin: its device's first and last touch, and the landing page served last. */
export function submissionOrigin(device: Device | null, receipt: Receipt, state: ProcessingState): SubmissionOrigin {
  if (device === null) return { first: null, last: null, page: null }
  return { ...state.touches.upTo(device.key, receipt), page: pageServed(device, receipt.at, state) }
}

/** A device remembers its latest page; for records that came before that page or late, the ledger is searched. */
function pageServed(device: Device, at: number, state: ProcessingState): SubmissionOrigin['page'] {
  if (device.page === null) return null
  return device.page.at > at ? state.devices.pageServed(device, at) : device.page
}

/** What one more lead of the day is counted under. */
export const countedNames = (
  origin: Pick<SubmissionOrigin, 'last'>,
  { accountId, day }: { accountId: string; day: number },
  { figures }: Pick<ProcessingState, 'figures'>,
): LeadNames => leadNames(origin, (measure, name) => figures.boundedName(accountId, { day, measure, name }))

type State = Pick<ProcessingState, 'submissions' | 'figures'>

/** Gives a submission another origin, and moves its lead to that source. */
function changeOrigin(
  accountId: string,
  submission: AmendableSubmission,
  { origin, state }: { origin: SubmissionOrigin; state: State },
): void {
  const before = submission.fact.counted
  const counted = recounted(before, { accountId, origin, state })
  if (before !== null && counted !== null) moveLead(accountId, [before, counted], state)
  state.submissions.later.amend(submission, { ...origin, counted })
}

/** Names a lead anew that counts as one of the others: an erasure may have left a name of its day free. */
export function nameAgain(accountId: string, stored: OriginatedSubmission, state: State): void {
  const submission = state.submissions.later.meet(stored)
  const { counted, ...origin } = submission.fact
  const lead = recounted(counted, { accountId, origin, state })?.lead ?? null
  if (lead !== null && counted?.lead && !isSameLead(lead, counted.lead))
    changeOrigin(accountId, submission, { origin, state })
}

/** A likely duplicate counts for no source. */
function recounted(
  counted: CountedSubmission | null,
  { accountId, origin, state }: { accountId: string; origin: SubmissionOrigin; state: State },
): CountedSubmission | null {
  if (counted === null || counted.lead === null) return counted
  return { ...counted, lead: countedNames(origin, { accountId, day: counted.day }, state) }
}

function moveLead(
  accountId: string,
  [before, after]: [CountedSubmission, CountedSubmission],
  { figures }: State,
): void {
  if (before.lead === null || after.lead === null || isSameLead(before.lead, after.lead)) return
  for (const figure of figuresOfLead(before)) figures.add(accountId, { ...figure, count: -1 })
  for (const figure of figuresOfLead(after)) figures.add(accountId, { ...figure, count: 1 })
}

/** A stored submission with all of its origin. */
export interface OriginatedSubmission extends AmendableSubmission {
  fact: SubmissionOrigin & Pick<SubmissionFact, 'counted'>
}

/**
 * The same for a submission whose origin loses or regains what erased records had a part in. As long as its last touch names
 * the same source, it stays counted as it was: names may be limited otherwise today.
 */
export function correctOrigin(
  accountId: string,
  stored: OriginatedSubmission,
  { changed, state }: { changed: (before: SubmissionOrigin) => SubmissionOrigin; state: State },
): void {
  const submission = state.submissions.later.meet(stored)
  const { counted, ...before } = submission.fact
  const origin = changed(before)
  // Of thousands behind an erased record, it told few where they came from.
  if (origin.first === before.first && origin.last === before.last && origin.page === before.page) return
  if (isSameLead(leadNames(origin), leadNames(before)))
    state.submissions.later.amend(submission, { ...origin, counted })
  else changeOrigin(accountId, submission, { origin, state })
}

/**
 * Limits the later submissions amended, nearest first. Records are only slightly late; more submissions follow only
 * where the clock was set back, and then each view would go through everything the device ever sent.
 */
export const amendedMax = 20

/**
 * A page view may be committed after a submission that followed it. The submission's origin is
 * then amended, and its lead moves to that source.
 */
export function amendLaterSubmissions(
  entry: Hit,
  { account, device }: { account: ProcessedAccount; device: Device },
  state: ProcessingState,
): void {
  const after = receiptOf(entry)
  for (const submission of state.submissions.later.of({ device: device.key, after, limit: amendedMax })) {
    const derived = submissionOrigin(device, submission.receipt, state)
    const origin = { ...derived, page: derived.page ?? submission.fact.page }
    changeOrigin(account.id, submission, { origin, state })
  }
}

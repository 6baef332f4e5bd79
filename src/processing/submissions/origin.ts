import type { Submission } from '../../ledger/entry.ts'
import type { Hit } from '../attribution/touch.ts'
import { recordedVersion, type ShownVersion, versionsFollowed } from '../attribution/versions.ts'
import type { Device } from '../devices.ts'
import {
  type CountedSubmission,
  type Figure,
  figuresOfOrigin,
  isSameLead,
  type LeadNames,
  leadNames,
} from '../figures/measures.ts'
import { isVisiting } from '../figures/note-hit.ts'
import { type ProcessedAccount, type Receipt, receiptOf } from '../ledger-item.ts'
import type { ProcessingState } from '../processing-state.ts'
import type { AmendableFact, AmendableSubmission, SubmissionOrigin } from './submissions.ts'

/**
 * A submission's origin: its device's first and last touch, the landing page served last, and the versions of split pages that its
 * visit was shown or that it was sent from.
 */
export function submissionOrigin(
  submission: Submission,
  device: Device | null,
  state: ProcessingState,
): SubmissionOrigin {
  const sentFrom = recordedVersion(submission)
  const known = sentFrom === null ? [] : [sentFrom]
  if (device === null) return { first: null, last: null, page: null, versions: known }
  return deviceOrigin(device, { receipt: receiptOf(submission), known }, state)
}

/** @param known versions that the submission follows, whatever its device was shown */
const deviceOrigin = (
  device: Device,
  { receipt, known }: { receipt: Receipt; known: readonly ShownVersion[] },
  state: ProcessingState,
): SubmissionOrigin => ({
  ...state.touches.upTo(device.key, receipt),
  page: pageServed(device, receipt.at, state),
  versions: versionsFollowed(versionsShown(device, receipt.at), known),
})

/** Those of another visit led to nothing here. */
const versionsShown = (device: Device, until: number): readonly ShownVersion[] =>
  isVisiting(device, until) ? device.versions.filter(({ at }) => at <= until) : []

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
): LeadNames => leadNames(origin, (division, name) => figures.boundedName(accountId, { day, division, name }))

type State = Pick<ProcessingState, 'submissions' | 'figures'>

/** Gives a submission another origin, and moves its lead to what it counts under then. */
function changeOrigin(
  accountId: string,
  submission: AmendableSubmission,
  { after, state }: { after: AmendableFact; state: State },
): void {
  moveLead(accountId, [submission.fact, after], state)
  state.submissions.later.amend(submission, after)
}

/** Names a lead anew that counts as one of the others: an erasure may have left a name of its day free. */
export function nameAgain(accountId: string, stored: OriginatedSubmission, state: State): void {
  const submission = state.submissions.later.meet(stored)
  const { counted: before, ...origin } = submission.fact
  const counted = recounted(before, { accountId, origin, state })
  if (counted?.lead && before?.lead && !isSameLead(counted.lead, before.lead))
    changeOrigin(accountId, submission, { after: { ...origin, counted }, state })
}

/** A likely duplicate counts for no source. */
function recounted(
  counted: CountedSubmission | null,
  { accountId, origin, state }: { accountId: string; origin: SubmissionOrigin; state: State },
): CountedSubmission | null {
  if (counted === null || counted.lead === null) return counted
  return { ...counted, lead: countedNames(origin, { accountId, day: counted.day }, state) }
}

type CountedOrigin = Pick<AmendableFact, 'versions' | 'counted'>

function moveLead(accountId: string, [before, after]: [CountedOrigin, CountedOrigin], { figures }: State): void {
  const [gone, come] = [figuresOfOrigin(before), figuresOfOrigin(after)]
  const moved = (some: Figure[], others: Figure[]) => some.filter((one) => !others.some((other) => isSame(one, other)))
  for (const figure of moved(gone, come)) figures.add(accountId, { ...figure, count: -1 })
  for (const figure of moved(come, gone)) figures.add(accountId, { ...figure, count: 1 })
}

const isSame = (one: Figure, other: Figure): boolean =>
  one.day === other.day && one.measure === other.measure && one.name === other.name

/** A stored submission with all of its origin. */
export interface OriginatedSubmission extends AmendableSubmission {
  fact: AmendableFact
}

const parts = ['first', 'last', 'page', 'versions'] as const satisfies readonly (keyof SubmissionOrigin)[]

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
  const { counted: before, ...known } = submission.fact
  const origin = changed(known)
  // Of thousands behind an erased record, it told few where they came from.
  if (parts.every((part) => origin[part] === known[part])) return
  const isNamedAlike = isSameLead(leadNames(origin), leadNames(known))
  const counted = isNamedAlike ? before : recounted(before, { accountId, origin, state })
  changeOrigin(accountId, submission, { after: { ...origin, counted }, state })
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
    const { receipt, fact } = submission
    const derived = deviceOrigin(device, { receipt, known: fact.versions }, state)
    const origin = { ...derived, page: derived.page ?? fact.page }
    const counted = recounted(fact.counted, { accountId: account.id, origin, state })
    changeOrigin(account.id, submission, { after: { ...origin, counted }, state })
  }
}

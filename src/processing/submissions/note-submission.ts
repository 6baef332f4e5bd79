import type { Submission } from '../../ledger/entry.ts'
import { noteDeliveries } from '../deliveries/note-deliveries.ts'
import type { Device } from '../devices.ts'
import { figuresOfSubmission } from '../figures/measures.ts'
import { noteReleasedGoals } from '../goals/note-goals.ts'
import type { Person } from '../person/persons.ts'
import type { ProcessedAccount } from '../processed-account.ts'
import type { ProcessingState } from '../processing-state.ts'
import { receiptOf } from '../receipt.ts'
import { fingerprint } from './fingerprint.ts'
import { duplicateWithinMs } from './repeats.ts'
import type { KeptSubmission, SubmissionFact } from './submission-fact.ts'
import { countedNames, submissionOrigin } from './submission-origin.ts'
import type { AlikeQuery } from './submissions.ts'

interface Sender {
  account: ProcessedAccount
  device: Device | null
  person: Person | null
}

/**
 * What a submission is beyond its record: whose lead and from where, or a likely duplicate. Returns the day it counts
 * for.
 */
export function noteSubmission(submission: Submission, sender: Sender, state: ProcessingState): { day: number } {
  const day = state.days.of(submission.receivedAt, sender.account.timezone)
  const fact =
    submission.status === 'accepted' ? counted(submission, { ...sender, day }, state) : kept(submission, sender, state)
  state.submissions.add(submission, fact)
  if (fact.counted !== null) noteDeliveries(submission, { ...sender, fact, at: submission.receivedAt }, state)
  return { day }
}

/** A refused submission that an operator released: from now on it is as if it had been accepted that day. */
export function noteRelease(
  { key, submission }: KeptSubmission,
  { releasedAt, ...sender }: Sender & { releasedAt: number },
  state: ProcessingState,
): void {
  const day = state.days.of(releasedAt, sender.account.timezone)
  const fact = counted(submission, { ...sender, day }, state)
  state.submissions.release({ key, submission, fact, releasedAt })
  noteReleasedGoals(submission, { account: sender.account, device: sender.device, key, day }, state)
  noteDeliveries(submission, { ...sender, key, fact, at: releasedAt }, state)
}

/** The fact of a refused submission: nobody's, and in no figure. Its origin is recorded now, while it is known. */
function kept(submission: Submission, { device }: Sender, state: ProcessingState): SubmissionFact {
  return {
    ...submissionOrigin(device, receiptOf(submission), state),
    person: null,
    device: device?.key ?? null,
    fingerprint: null,
    duplicateOf: null,
    counted: null,
  }
}

/** Counts a lead or a likely duplicate. */
function counted(
  submission: Submission,
  { account, device, person, day }: Sender & { day: number },
  state: ProcessingState,
): SubmissionFact {
  const origin = submissionOrigin(device, receiptOf(submission), state)
  const mark = fingerprint(submission)
  const duplicateOf = mark === null ? null : likelyOriginal(alikeQuery(submission, mark, person ?? device), state)
  const lead = duplicateOf === null ? countedNames(origin, { accountId: account.id, day }, state) : null
  for (const figure of figuresOfSubmission({ formId: submission.formId, counted: { day, lead } }))
    state.figures.add(account.id, { ...figure, count: 1 })
  const whose = { person: person?.key ?? null, device: device?.key ?? null }
  return { ...origin, ...whose, fingerprint: mark, duplicateOf, counted: { day, lead } }
}

/** The first of a chain of equal submissions. */
function likelyOriginal(query: AlikeQuery, { submissions }: ProcessingState): string | null {
  const alike = submissions.alike(query)
  return alike === null ? null : (alike.duplicateOf ?? alike.id)
}

/** Looks on both sides of the receipt: a submission that was released or committed late may repeat a later one. */
const alikeQuery = (
  { accountId, receivedAt }: Submission,
  fingerprint: string,
  sender: Person | Device | null,
): AlikeQuery => ({
  accountId,
  sender: sender?.key ?? null,
  fingerprint,
  from: receivedAt - duplicateWithinMs,
  to: receivedAt + duplicateWithinMs,
})

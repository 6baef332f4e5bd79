import { type Destination, isToVisitors, receivesSubmission, waitsForConfirmation } from '../../account/destination.ts'
import { answerableAddress, isWithinReplyLimits } from '../../delivery/reply/reply-rules.ts'
import type { ConfirmationEntry, ReleaseEntry } from '../../ledger/decision.ts'
import type { Submission } from '../../ledger/entry.ts'
import { canonicalJson } from '../../lib/canonical-json.ts'
import type { Replies, ReplyCandidate } from '../deliveries/deliveries.ts'
import type { Device } from '../devices.ts'
import { deviceKind } from '../figures/channel.ts'
import { figuresOfSubmission } from '../figures/measures.ts'
import { noteReleasedGoals } from '../goals/note-goals.ts'
import type { EntryKey, ProcessedAccount } from '../ledger-item.ts'
import type { Person } from '../person/persons.ts'
import { tieToPerson } from '../person/tie-to-person.ts'
import type { ProcessingState } from '../processing-state.ts'
import { countedNames, submissionOrigin } from './origin.ts'
import { duplicateWithinMs } from './repeats.ts'
import type { AlikeQuery, KeptSubmission, SubmissionFact, SubmissionOrigin } from './submissions.ts'

interface Sender {
  account: ProcessedAccount
  device: Device | null
  person: Person | null
}

/** Since when a submission counts, epoch milliseconds, for which day, and where it came from. */
interface Counting {
  at: number
  day: number
  origin: SubmissionOrigin
}

/**
 * What a submission is beyond its record: whose lead and from where, or a likely duplicate. Returns the day it counts
 * for.
 */
export function noteSubmission(submission: Submission, sender: Sender, state: ProcessingState): { day: number } {
  const day = state.days.of(submission.receivedAt, sender.account.timezone)
  const counting = () => ({
    day,
    at: submission.receivedAt,
    origin: submissionOrigin(submission, sender.device, state),
  })
  const fact =
    submission.status === 'accepted'
      ? counted(submission, { ...sender, ...counting() }, state)
      : kept(submission, sender, state)
  state.submissions.add(submission, fact)
  const { duplicateOf } = fact
  const turn = { account: sender.account, cause: 'receipt', isConfirmed: false } as const
  if (fact.counted !== null) noteDeliveries({ submission, duplicateOf, at: submission.receivedAt }, turn, state)
  return { day }
}

/**
 * A refused submission that an operator released: from now on it is as if it had been accepted that day. One that had counted, until
 * an operator refused it, is as it was.
 */
function noteRelease(
  { key, submission, versions, confirmedAt }: KeptSubmission,
  { releasedAt: decidedAt, ...sender }: Sender & { releasedAt: number },
  state: ProcessingState,
): void {
  const releasedAt = submission.status === 'accepted' ? null : decidedAt
  const at = releasedAt ?? submission.receivedAt
  const day = state.days.of(at, sender.account.timezone)
  // Its visit has ended since.
  const origin = { ...submissionOrigin(submission, sender.device, state), versions }
  const fact = counted(submission, { ...sender, day, at, origin }, state)
  state.submissions.release({ key, submission, fact, releasedAt })
  noteReleasedGoals(submission, { account: sender.account, device: sender.device, key, day }, state)
  const { duplicateOf } = fact
  const turn = { account: sender.account, cause: 'release', isConfirmed: confirmedAt !== null } as const
  noteDeliveries({ key, submission, duplicateOf, at }, turn, state)
}

/** The fact of a refused submission: nobody's, and in no figure. Its origin is recorded now, while it is known. */
function kept(submission: Submission, { device }: Sender, state: ProcessingState): SubmissionFact {
  return {
    ...submissionOrigin(submission, device, state),
    person: null,
    device: device?.key ?? null,
    fingerprint: null,
    duplicateOf: null,
    counted: null,
  }
}

function counted(
  submission: Submission,
  { account, device, person, day, at, origin }: Sender & Counting,
  state: ProcessingState,
): SubmissionFact {
  const mark = fingerprint(submission)
  const duplicateOf = mark === null ? null : likelyOriginal(alikeQuery(submission, mark, person ?? device), state)
  const lead = duplicateOf === null ? countedNames(origin, { accountId: account.id, day }, state) : null
  const { formId, source } = submission
  const ofRecord = { formId, versions: origin.versions, device: deviceKind(source.userAgent), at }
  for (const figure of figuresOfSubmission({ ...ofRecord, counted: { day, lead } }))
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

/**
 * From now on, a refused submission counts as if it had been accepted then.
 *
 * @throws if the submission was set aside: its release is set aside too, and retried after it
 */
export function processRelease(release: ReleaseEntry, account: ProcessedAccount, state: ProcessingState): void {
  const kept = state.submissions.kept({ accountId: account.id, id: release.id })
  // Retention or an erasure has deleted it, or it already counts.
  if (kept === null || kept.submission.test || !kept.isRefused) return
  const { submission } = kept
  if (!kept.isProcessed) throw new Error('the submission was set aside')
  const device = submission.deviceId === null ? null : state.devices.named(account.id, submission.deviceId)
  const person = tieToPerson(submission, { account, device }, state)
  noteRelease(kept, { account, device, person, releasedAt: release.receivedAt }, state)
}

/**
 * The visitor confirmed a submission: whoever waits for that gets it now, unless it is refused.
 *
 * @throws if the submission was set aside: its confirmation is set aside too, and retried after it
 */
export function processConfirmation(
  { id, receivedAt: at }: ConfirmationEntry,
  account: ProcessedAccount,
  state: ProcessingState,
): void {
  const kept = state.submissions.kept({ accountId: account.id, id })
  // Retention or an erasure has deleted it.
  if (kept === null || kept.submission.test) return
  if (!kept.isProcessed) throw new Error('the submission was set aside')
  state.submissions.confirm(kept, at)
  if (kept.isRefused) return
  const { key, submission, duplicateOf } = kept
  const turn = { account, cause: 'confirmation', isConfirmed: true } as const
  noteDeliveries({ key, submission, duplicateOf, at }, turn, state)
}

/** 64 bits: compared only with what one sender sent within minutes. */
const digits = 16

/**
 * Identifies equal submissions by form, fields as sent, and sender. An identity is one of the fields, so only
 * submissions without one need the device; `null`: neither is known, and strangers may send the same text. The hidden
 * field is ignored: somebody who sends a refused submission again leaves it empty.
 */
function fingerprint({ formId, email, deviceId, honeypot, fields }: Submission): string | null {
  if (email === null && deviceId === null) return null
  const sender = email === null ? deviceId : null
  const stated = honeypot === null ? fields : without(honeypot.field, fields)
  return Bun.SHA256.hash(canonicalJson([formId, sender, stated]), 'hex').slice(0, digits)
}

function without(name: string, { [name]: _evidence, ...others }: Submission['fields']): Submission['fields'] {
  return others
}

interface SentSubmission {
  submission: Submission
  duplicateOf: string | null
  /** When it began to count, or was confirmed, epoch milliseconds. */
  at: number
  /** Absent: the entry under way. */
  key?: EntryKey
}

/** The moment at which a submission goes to some of its destinations. */
interface SendingTurn {
  account: ProcessedAccount
  cause: 'receipt' | 'release' | 'confirmation'
  isConfirmed: boolean
}

/** Sends a submission that counts to each destination that existed by then and wants it now (docs/deliveries.md). */
function noteDeliveries(
  { submission, duplicateOf, at, key }: SentSubmission,
  turn: SendingTurn,
  { deliveries, replies }: Pick<ProcessingState, 'deliveries' | 'replies'>,
): void {
  const isDuplicate = duplicateOf !== null
  for (const { key: destination, destination: definition, createdAt } of turn.account.destinations) {
    // Whoever does not wait for a confirmation gets what came since it exists.
    const since = turn.cause === 'confirmation' && !waitsForConfirmation(definition) ? submission.receivedAt : at
    if (since < createdAt || !isTurnOf(definition, turn)) continue
    if (!receivesSubmission(definition, submission, isDuplicate)) continue
    if (isToVisitors(definition)) {
      const email = answerableAddress(submission, isVouchedFor(definition, turn))
      if (email === null || !mayWrite({ accountId: turn.account.id, destination, email, at }, replies)) continue
    }
    deliveries.add({ destination, submission, isDuplicate, at }, key)
  }
}

/**
 * A visitor who has confirmed is not asked again. All others are offered what is confirmed: one that waited for that when the
 * visitor wrote may have ceased to.
 */
const isTurnOf = (destination: Destination, { isConfirmed }: SendingTurn): boolean =>
  isConfirmed ? destination.kind !== 'confirm' : !waitsForConfirmation(destination)

/** Whether a person is known to have sent it without a bot check: an operator says so, or whoever reads the address did. */
const isVouchedFor = ({ kind }: Destination, { cause, isConfirmed }: SendingTurn): boolean =>
  kind === 'confirm' ? cause === 'release' : isConfirmed

/** Whether the visitor gets a mail. If so, it is noted and counts towards later limits. */
function mayWrite(next: ReplyCandidate, replies: Replies): boolean {
  const { isOptedOut, answered } = replies.history(next)
  const { accountId, destination, email, at } = next
  if (isOptedOut) return false
  if (!isWithinReplyLimits({ form: String(destination), account: accountId, address: email, at }, answered))
    return false
  replies.add(next)
  return true
}

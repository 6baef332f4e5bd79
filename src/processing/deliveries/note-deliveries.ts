import { receivesSubmission } from '../../account/destination.ts'
import type { DestinationKey } from '../../delivery/outbox.ts'
import { answerableAddress, isWithinReplyLimits } from '../../delivery/reply/reply-rules.ts'
import type { Submission } from '../../ledger/entry.ts'
import type { EntryKey } from '../entry-key.ts'
import type { ProcessedAccount } from '../processed-account.ts'
import type { ProcessingState } from '../processing-state.ts'
import type { SubmissionFact } from '../submissions/submission-fact.ts'
import type { Replies } from './replies.ts'

interface CountedSubmission {
  account: ProcessedAccount
  fact: Pick<SubmissionFact, 'duplicateOf'>
  /** When it began to count: its receipt or its release. Epoch milliseconds. */
  at: number
  /** Absent: the entry under way. */
  key?: EntryKey
}

/** Sends a submission that counts to each destination that existed by then and wants it (docs/deliveries.md). */
export function noteDeliveries(
  submission: Submission,
  { account, fact, at, key }: CountedSubmission,
  { deliveries, replies }: Pick<ProcessingState, 'deliveries' | 'replies'>,
): void {
  const isDuplicate = fact.duplicateOf !== null
  for (const { key: destination, destination: definition, createdAt } of account.destinations) {
    if (at < createdAt || !receivesSubmission(definition, submission.formId, isDuplicate)) continue
    if (definition.kind === 'reply' && !mayReply(submission, { account, destination }, replies)) continue
    deliveries.add({ destination, submission, isDuplicate, at }, key)
  }
}

interface ReplyPlace {
  account: ProcessedAccount
  /** The destination for replies to visitors of the form. */
  destination: DestinationKey
}

/** Whether the visitor gets a reply. If so, the reply is noted and counts towards later limits. */
function mayReply(submission: Submission, { account, destination }: ReplyPlace, replies: Replies): boolean {
  const email = answerableAddress(submission)
  if (email === null) return false
  const next = { accountId: account.id, destination, email, at: submission.receivedAt }
  const { isOptedOut, answered } = replies.history(next)
  const asCounted = { form: String(destination), account: account.id, address: email, at: submission.receivedAt }
  if (isOptedOut || !isWithinReplyLimits(asCounted, answered)) return false
  replies.add(next)
  return true
}

import type { DestinationKey } from '../../delivery/outbox.ts'
import { answerableAddress, isWithinReplyLimits } from '../../delivery/reply/reply-rules.ts'
import type { Submission } from '../../ledger/entry.ts'
import type { ProcessedAccount } from '../processed-account.ts'
import type { Replies } from './replies.ts'

interface ReplyPlace {
  account: ProcessedAccount
  /** The destination for replies to visitors of the form. */
  destination: DestinationKey
}

/** Whether the visitor gets a reply. If so, the reply is noted and counts towards later limits. */
export function mayReply(submission: Submission, { account, destination }: ReplyPlace, replies: Replies): boolean {
  const email = answerableAddress(submission)
  if (email === null) return false
  const next = { accountId: account.id, destination, email, at: submission.receivedAt }
  const { isOptedOut, answered } = replies.history(next)
  const asCounted = { form: String(destination), address: email, at: submission.receivedAt }
  if (isOptedOut || !isWithinReplyLimits(asCounted, answered)) return false
  replies.add(next)
  return true
}

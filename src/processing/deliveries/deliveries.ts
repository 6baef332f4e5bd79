import type { DestinationKey } from '../../delivery/outbox.ts'
import type { AnsweredSubmission } from '../../delivery/reply/reply-rules.ts'
import type { Submission } from '../../ledger/entry.ts'
import type { EntryKey, UnderWay } from '../ledger-item.ts'

interface NotedDelivery {
  destination: DestinationKey
  /** Of the submission. */
  key: EntryKey
  submission: Submission
  isDuplicate: boolean
  /** When the submission began to count, or was confirmed, epoch milliseconds. */
  at: number
  /** Whether it may have been sent there before. */
  isAgain: boolean
}

/**
 * What the step's entries add to the outbox. Only a step that processes entries for the first time keeps it, so that
 * refolding sends nothing twice.
 */
export class Deliveries {
  readonly added: NotedDelivery[] = []

  constructor(private readonly underWay: UnderWay) {}

  /** @param key of a submission that was released or confirmed; absent: the entry under way */
  add(delivery: Omit<NotedDelivery, 'key' | 'isAgain'>, key?: EntryKey): void {
    this.added.push({ ...delivery, key: key ?? this.underWay.key, isAgain: key !== undefined })
  }
}

/** A submission whose visitor was or may be written to. */
export interface ReplyCandidate {
  accountId: string
  destination: DestinationKey
  /** As `identityEmail` writes it. */
  email: string
  /** When the submission began to count, or was confirmed, epoch milliseconds. */
  at: number
}

export interface ReplyHistory {
  /** Whether the visitor declined further replies of the account. */
  isOptedOut: boolean
  /** Answered submissions that count towards the candidate's limits. */
  answered: AnsweredSubmission[]
}

export interface ReplyLoads {
  /** For submissions of another address, `address` is empty; of another account, `account`. */
  replyHistory(asked: ReplyCandidate): ReplyHistory
}

/** Answered submissions, stored or of this step. Few forms write to visitors, so that each submission asks individually. */
export class Replies {
  readonly added: ReplyCandidate[] = []

  constructor(private readonly load: ReplyLoads) {}

  history(candidate: ReplyCandidate): ReplyHistory {
    const { isOptedOut, answered } = this.load.replyHistory(candidate)
    const added = this.added.map(({ accountId, destination, email, at }) => ({
      form: String(destination),
      account: accountId,
      address: email,
      at,
    }))
    return { isOptedOut, answered: [...answered, ...added] }
  }

  add(answered: ReplyCandidate): void {
    this.added.push(answered)
  }
}

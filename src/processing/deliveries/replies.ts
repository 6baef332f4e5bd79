import type { DestinationKey } from '../../delivery/outbox.ts'
import type { AnsweredSubmission } from '../../delivery/reply/reply-rules.ts'

/** A submission that is answered, or may be. */
export interface ReplyCandidate {
  accountId: string
  destination: DestinationKey
  /** As `identityEmail` writes it. */
  email: string
  /** Its receipt, epoch milliseconds. */
  at: number
}

export interface ReplyHistory {
  /** The visitor wants no more replies from the account. */
  isOptedOut: boolean
  /** What counts for the limits of the candidate. */
  answered: AnsweredSubmission[]
}

export interface ReplyLoads {
  /** Of those of another address, `address` is empty. */
  replyHistory(asked: ReplyCandidate): ReplyHistory
}

/** Submissions that were answered: those of the step, and those that storage has. Few forms reply, so each asks for itself. */
export class Replies {
  readonly added: ReplyCandidate[] = []

  constructor(private readonly load: ReplyLoads) {}

  history(candidate: ReplyCandidate): ReplyHistory {
    const { isOptedOut, answered } = this.load.replyHistory(candidate)
    const added = this.added.map(({ destination, email, at }) => ({ form: String(destination), address: email, at }))
    return { isOptedOut, answered: [...answered, ...added] }
  }

  add(answered: ReplyCandidate): void {
    this.added.push(answered)
  }
}

/** What an operator should hear of commits, and not for every request. */
export interface CommitNotices {
  /** Told of a failure, unless another was less than half a second ago. */
  onFailure(error: unknown): void
  /** Told of the first commit behind a failure. */
  onRecovery(): void
}

/** What an operator should hear of the thread that writes the ledger. */
export type WriterNotice =
  /** It died, and is started again. */
  | { threadEnded: string }
  /** It has not answered for seconds. */
  | { threadSilent: true }
  /** It answers again. */
  | { threadAnswers: true }

/** The thread that writes died or does not answer: nobody knows of the batch that it is stored. */
export class WriterGone extends Error {
  override readonly name = 'WriterGone'
}

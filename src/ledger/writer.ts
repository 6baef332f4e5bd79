/** Notices for the operator about commits, limited in rate. */
export interface CommitNotices {
  /** Reports a failure, unless one was reported within the last half second. */
  onFailure(error: unknown): void
  /** Reports the first successful commit after a failure. */
  onRecovery(): void
}

/** Notices for the operator about the thread that writes the ledger. */
export type WriterNotice =
  /** The thread died and restarts. */
  | { threadEnded: string }
  /** The thread has not answered for seconds. */
  | { threadSilent: true }
  /** The thread cannot be ended, or its replacements went silent as well. */
  | { threadHangs: true }
  /** The thread took too long with an entry and cannot be ended: only the process can. */
  | { threadStuck: true }
  /** The thread answers again. */
  | { threadAnswers: true }

/** The writing thread died or does not answer, so it is unknown whether the batch was stored. */
export class WriterGone extends Error {
  override readonly name = 'WriterGone'
}

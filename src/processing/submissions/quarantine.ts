/** The outcome of a release; `unprocessed`: processing has not reached the submission yet, or set it aside. */
export type ReleaseOutcome =
  | { outcome: 'released'; at: number }
  | { outcome: 'already_released'; at: number }
  | { outcome: 'accepted' | 'test_page' | 'unprocessed' | 'unknown' }

/**
 * Submissions refused as sent by a bot, kept apart until an operator decides otherwise.
 *
 * Guarantees: a release is an entry of the ledger, on disk when this resolves, at most one for each submission;
 * processing counts it in its turn, whichever process that is.
 */
export interface Quarantine {
  /** Releases a refused submission of the account at that instant, epoch milliseconds. */
  release(accountId: string, id: string, at: number): Promise<ReleaseOutcome>
}

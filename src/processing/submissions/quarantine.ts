/** What a release came to: `unprocessed` is one that processing has not come to yet, or has set aside. */
export type ReleaseOutcome =
  | { outcome: 'released'; at: number }
  | { outcome: 'already_released'; at: number }
  | { outcome: 'accepted' | 'test_page' | 'unprocessed' | 'unknown' }

/**
 * Submissions that were refused as a bot, kept apart until an operator says otherwise.
 *
 * Guarantees: a release is an entry of the ledger, on disk once this resolves, and there is one of a submission at most;
 * processing counts it in its turn, whoever runs that.
 */
export interface Quarantine {
  /** Releases a refused submission of the account at that instant, epoch milliseconds. */
  release(accountId: string, id: string, at: number): Promise<ReleaseOutcome>
}

/**
 * Remembers used challenges of the self-hosted bot check.
 *
 * Guarantee: for one account and challenge `spend` resolves to `true` exactly once until the challenge has expired,
 * however many calls there are at the same time, and across restarts.
 */
export interface ChallengeStore {
  /** @param expiresAt epoch milliseconds. @throws LedgerUnavailable when it cannot be recorded. */
  spend(accountId: string, challenge: string, expiresAt: number): Promise<boolean>
}

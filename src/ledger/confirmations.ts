/** `open`: it may be confirmed. `gone`: there is no such submission, or it was deleted. */
export type ConfirmationState = 'open' | 'confirmed' | 'gone'

export interface ConfirmedSubmission {
  accountId: string
  submissionId: string
}

/**
 * What visitors confirmed by the link in their mail (docs/confirmed-leads.md).
 *
 * Guarantees: a confirmation is an entry of the ledger, at most one for each submission, and none for a submission that
 * is gone. `confirm` resolves once it is on disk, with the state then, never with `open`; it rejects with `LedgerUnavailable`
 * within 5 s when it cannot be stored.
 */
export interface Confirmations {
  state(submission: ConfirmedSubmission): ConfirmationState
  /** @param at epoch milliseconds */
  confirm(submission: ConfirmedSubmission, at: number): Promise<ConfirmationState>
}

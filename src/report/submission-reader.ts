import type { Form } from '../account/form.ts'
import type { Submission } from '../ledger/entry.ts'
import type { Cursor, LedgerRow, LeftOut } from '../ledger/ledger.ts'

/** `accepted`: what counts, released ones too; `refused`: what is refused still. */
export type SubmissionChoice = 'all' | 'accepted' | 'refused'

export interface SubmissionQuery {
  accountId: string
  which: SubmissionChoice
  /** Receipt from this instant on, epoch milliseconds; `null`: from the first. */
  since: number | null
  limit: number
  /** Goes on behind this one, whatever arrives meanwhile; `null`: from the latest on. */
  behind: SubmissionPlace | null
  /** Called for each unreadable record, which is skipped. Without a callback, reading throws. */
  onUnreadable?: (leftOut: LeftOut) => void
}

/** Where a submission stands in the list: by receipt, then by commit. */
export interface SubmissionPlace {
  /** Epoch milliseconds. */
  receivedAt: number
  cursor: Cursor
}

/** One submission, with what is stored beside its record. */
export interface StoredSubmission {
  row: LedgerRow
  submission: Submission
  /** When an operator released it, epoch milliseconds. */
  releasedAt: number | null
}

/** Submissions for an operator who looks at them one by one. */
export interface SubmissionReader {
  /** The latest received, latest first; none that the test page sent, and none that was not processed yet. */
  latest(query: SubmissionQuery): Promise<LedgerRow[]>
  /**
   * Submissions that were processed behind a place in the ledger, in order of commit, with the place up to which it was looked;
   * `null`: from now on.
   */
  arrived(accountId: string, after: Cursor | null): Promise<{ rows: LedgerRow[]; cursor: Cursor }>
  /** `null`: the account has none of that id. @throws UnreadableEntry when it has, and its record cannot be read */
  find(accountId: string, id: string): Promise<StoredSubmission | null>
  /** The definition that a submission met, and when it was published, epoch milliseconds. */
  formVersion(accountId: string, formId: string, version: number): Promise<{ form: Form; publishedAt: number } | null>
}

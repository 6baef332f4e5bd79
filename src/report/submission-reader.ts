import type { Form } from '../account/form.ts'
import type { Submission } from '../ledger/entry.ts'
import type { Cursor, LedgerRow } from '../ledger/ledger.ts'

/** `accepted`: submissions that count, including released ones; `refused`: those still refused. */
export type SubmissionChoice = 'all' | 'accepted' | 'refused'

/** How far people have come with a submission; see inbox/inbox.ts of the console. */
export type WorkState = 'new' | 'seen' | 'done'

export interface SubmissionQuery {
  accountId: string
  which: SubmissionChoice
  /** Of one form alone. */
  form?: string | undefined
  state?: WorkState | undefined
  /**
   * In lower case, as JSON writes it within quotes: leaves out those that cannot hold it. Which of the others show it, the
   * reader does not know.
   */
  text?: string | undefined
  /** Receipt from this instant on, epoch milliseconds; `null`: from the first. */
  since: number | null
  limit: number
  /** Continues after this place, whatever arrives meanwhile; `null`: from the latest. */
  behind: SubmissionPlace | null
}

/** What one look of a search has found. */
export interface SearchedSubmissions {
  rows: LedgerRow[]
  /** Submissions looked through. */
  looked: number
  /** Up to which it looked; `null`: to the end. */
  last: SubmissionPlace | null
}

/** A submission's place in the list: by receipt, then by commit. */
export interface SubmissionPlace {
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

/** Their ids; `null`: there is none. */
export interface BesideSubmission {
  newer: string | null
  older: string | null
}

/** How many submissions an account has, each up to `countedMax`: then there are that many or more. */
export interface SubmissionCounts {
  /** That count, and those of them on which nobody worked yet. */
  accepted: number
  new: number
  refused: number
}

export const countedMax = 10_000

/** Reads submissions for people who look at them one by one. */
export interface SubmissionReader {
  /**
   * One look of a search through the latest received, latest first; none that the test page sent, and none that was not
   * processed yet. It takes about a millisecond, and may find nothing where a later look does. With neither text nor
   * state it finds up to `limit` at once.
   */
  search(query: SubmissionQuery): Promise<SearchedSubmissions>
  counts(accountId: string): Promise<SubmissionCounts>
  /** When the last submission of each form was received, refused ones included, epoch milliseconds; forms without one are left out. */
  lastReceived(accountId: string, formIds: readonly string[]): Promise<Map<string, number>>
  /**
   * Submissions that were processed behind a place in the ledger, in order of commit, with the place up to which it was looked;
   * `null`: from now on.
   */
  arrived(accountId: string, after: Cursor | null): Promise<{ rows: LedgerRow[]; cursor: Cursor }>
  /** The leads next to a submission in the list of leads. */
  beside(accountId: string, id: string): Promise<BesideSubmission>
  /** Those of the submissions that are there and can be read, in one read. */
  byIds(accountId: string, ids: readonly string[]): Promise<Submission[]>
  /** `null`: the account has no such submission. @throws UnreadableEntry if its record cannot be read */
  find(accountId: string, id: string): Promise<StoredSubmission | null>
  /** The form definition that applied to a submission, and when it was published, epoch milliseconds. */
  formVersion(accountId: string, formId: string, version: number): Promise<{ form: Form; publishedAt: number } | null>
}

import type { ClickVerdict } from '../ledger/entry.ts'
import type { LedgerRow } from '../ledger/ledger.ts'
import type { Touch } from '../processing/attribution/touch.ts'
import type { Version } from '../processing/figures/measures.ts'

/** The present results of processing for a record. */
export interface EntryFacts {
  /** Whose record it is (docs/identity.md). */
  personId: string | null
  /** `null`: not a submission, or not processed. */
  submission: SubmissionFacts | null
  /** The version of a split page that an event followed, the latest of several; `null`: none, or not an event. */
  event: { version: Version } | null
  /** The click's present verdict; `null`: not a click, or not processed. */
  click: { verdict: ClickVerdict; reasons: string[] } | null
}

export interface SubmissionFacts {
  /** Whether an operator released it after it was refused. */
  isReleased: boolean
  /** Whether an operator refused it, and nobody released it since. */
  isRefused: boolean
  /** When the visitor confirmed it by mail, epoch milliseconds. */
  confirmedAt: number | null
  first: Touch | null
  last: Touch | null
  /** The id of the earlier submission that it repeats. */
  duplicateOf: string | null
  /** The landing page that its device had been served. */
  page: { slug: string; sha256: string } | null
  /** The version of a split page that it followed, the latest of several; `null`: none. */
  version: Version | null
}

export interface FactReader {
  /** What is known of each of the account's rows, in their order. */
  about(accountId: string, rows: LedgerRow[]): Promise<EntryFacts[]>
}

/** The facts of a record that was not processed. */
export const noFacts: EntryFacts = { personId: null, submission: null, event: null, click: null }

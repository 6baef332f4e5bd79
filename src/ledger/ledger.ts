import { OperatorError } from '../lib/operator-error.ts'
import type { Entry, EntryKind } from './entry.ts'

/** Thrown by `append` when the entries could not be made durable: a full disk, an I/O error, a queue at its limit. */
export class LedgerUnavailable extends Error {
  override readonly name = 'LedgerUnavailable'
}

/** What to do about damage; a backup may lack what was captured since. */
export const repairAdvice =
  'Stop `serve` and run `capture repair`: it writes what can be read into a new data folder, and names what is missing.'

/** Thrown when the row stored under an id is not the entry that was captured. The message never quotes the row. */
export class UnreadableEntry extends OperatorError {
  constructor(id: string) {
    super(`The record ${id} is not as it was captured: its checksum says so. ${repairAdvice}`)
  }
}

/** An opaque position in the order of commit, handed out by storage. Never a time, never an id. */
export type Cursor = string

/** An entry as read back, with the position after which reading continues. */
export interface LedgerRow {
  cursor: Cursor
  entry: Entry
}

export interface LedgerQuery {
  accountId: string
  /** Kinds to read; absent: every captured kind. Only processing reads decisions. */
  kinds?: EntryKind[]
  /** `null`: from the beginning. */
  after: Cursor | null
  /** The most rows; storage may return fewer only at the end. */
  limit: number
  /** Receipt from this instant on, epoch milliseconds. */
  receivedFrom?: number
  /** Receipt before this instant, epoch milliseconds. */
  receivedBefore?: number
}

/**
 * What was captured, in order of commit.
 *
 * Guarantees: `append` resolves only after all its entries are on disk, and they are there all or none. It settles within
 * 5 s, whatever the disk does. When it rejects with `LedgerUnavailable` the entries are not known to be stored: nothing of
 * them is on disk, unless the disk had taken them up and did not answer in time; then they may be stored all the same, and
 * an entry sent again is stored twice, under two ids. Entries of one account are read in the order in which they were
 * committed, and a row once read never moves; reading never waits for writing.
 */
export interface Ledger {
  append(entries: Entry[]): Promise<void>
  /**
   * As `append`, for what nobody waits for: it may lie in memory for up to 50 ms before it is handed to the disk, so
   * that it shares the work with others. Resolves and rejects as `append` does.
   */
  appendSoon(entries: Entry[]): Promise<void>
  /** Rows after `after`, oldest first. Empty if there are none. @throws UnreadableEntry, as every reader of records does */
  readAfter(query: LedgerQuery): Promise<LedgerRow[]>
}

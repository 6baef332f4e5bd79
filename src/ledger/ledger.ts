import type { Entry, EntryKind } from './entry.ts'

/** Thrown by `append` when the entries could not be made durable: a full disk, an I/O error, a queue at its limit. */
export class LedgerUnavailable extends Error {
  override readonly name = 'LedgerUnavailable'
}

/** Thrown where what is stored under an id is not the entry that was captured. Its message quotes nothing of it. */
export class UnreadableEntry extends Error {
  override readonly name = 'UnreadableEntry'

  constructor(
    readonly id: string,
    /** `unreadable`: it is no entry any more. `changed`: it is one, and its checksum says that it is another. */
    readonly fault: 'unreadable' | 'changed',
    options?: ErrorOptions,
  ) {
    super(`what is stored as ${id} is not the entry that was captured`, options)
  }
}

/** A record that is there and is not what was captured; `UnreadableEntry` is one. */
export interface DamagedRecord {
  fault: UnreadableEntry['fault']
  id: string
  /** Whether it is among what is read all the same (`LedgerQuery.withChanged`). */
  isKept?: boolean
}

/** Records that stand one behind the other, and whose place in the database's file cannot be read. */
export interface MissingRecords {
  fault: 'missing'
  first: Cursor
  last: Cursor
  /** How many they are; `null`: that is lost too, and there may be none. */
  count: number | null
  /** Ids of theirs that are known all the same: a few at most. */
  ids: string[]
  /** Receipt of the account's readable records before and behind them, epoch milliseconds; `null`: there is none. */
  receivedAfter: number | null
  receivedBefore: number | null
}

/** What reading has to leave out. */
export type LeftOut = DamagedRecord | MissingRecords

/** An opaque position in the order of commit, handed out by storage. Never a time, never an id. */
export type Cursor = string

/** An entry as it is read back, with the position behind which reading goes on. */
export interface LedgerRow {
  cursor: Cursor
  entry: Entry
}

export interface LedgerQuery {
  accountId: string
  /** Kinds to read; all when absent. */
  kinds?: EntryKind[]
  /** `null`: from the beginning. */
  after: Cursor | null
  /** Rows at most; storage may answer with fewer only at the end. */
  limit: number
  /** Receipt from this instant on, epoch milliseconds. */
  receivedFrom?: number
  /** Receipt before this instant, epoch milliseconds. */
  receivedBefore?: number
  /** Told of what cannot be read, which is then left out; when absent, reading throws at it. */
  onUnreadable?: (leftOut: LeftOut) => void
  /** Whether to read records as they are now that do not match their checksum; `onUnreadable` is told of each. */
  withChanged?: boolean
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
  /** Rows behind `after`, oldest first. Empty when there are none. */
  readAfter(query: LedgerQuery): Promise<LedgerRow[]>
}

import type { EntryKind } from '../ledger/entry.ts'
import type { Cursor, LedgerRow, LeftOut } from '../ledger/ledger.ts'
import type { JsonObject } from '../lib/json-value.ts'
import type { Touch } from '../processing/attribution/touch.ts'

/** What is known of a person, from all the records that are theirs. What the test page sent is nobody's. */
export interface KnownPerson {
  /** UUIDv7. */
  id: string
  email: string
  traits: JsonObject
  /** Receipt of their first and last record, epoch milliseconds; `null`: none is left. */
  firstSeenAt: number | null
  lastSeenAt: number | null
  /** Devices that were tied to them, in the order in which they were. */
  deviceIds: string[]
  first: Touch | null
  last: Touch | null
  /** Accepted and released ones. */
  submissions: number
  /** Tracked events, page views and clicks. */
  events: number
}

/**
 * The persons of an account, as of what has been processed.
 *
 * Guarantees: each answer is of one state of the database, and the same for the same records in whatever order they
 * were committed.
 */
export interface PersonReader {
  /** Persons behind `after` (`null`: from the first on), in the order in which they became known. */
  page(query: { accountId: string; after: Cursor | null; limit: number }): Promise<PersonRow[]>
  /** The person of the address (as `identityEmail` writes it); `null`: there is none. */
  named(accountId: string, email: string): Promise<KnownPerson | null>
  /** The same by `personId`. */
  withId(accountId: string, id: string): Promise<KnownPerson | null>
  /** The latest known first. A page of a search may be empty and have a next one: it looks through so many persons only. */
  latest(query: PersonListQuery): Promise<PersonList>
  /** The records before and with a submission of whoever sent it, in order of receipt; at most the latest `limit`. */
  way(query: WayQuery): Promise<LedgerRow[]>
  /** Their records of the kinds in order of commit, page by page; with `latestMax`, only so many of the latest. */
  records(query: PersonRecordsQuery): AsyncIterable<LedgerRow[]>
}

export interface PersonRow {
  cursor: Cursor
  person: KnownPerson
}

export interface WayQuery {
  accountId: string
  /** `null`: nobody is known to have sent it; then its device's records are read. */
  personId: string | null
  deviceId: string | null
  /** The submission's receipt, epoch milliseconds, and its place in the ledger. */
  until: { receivedAt: number; cursor: Cursor }
  limit: number
  /** Called for each unreadable record, which is skipped. Without a callback, reading throws. */
  onUnreadable?: (leftOut: LeftOut) => void
}

/** A person as a list names them: nothing of it is counted over all their records. */
export interface ListedPerson {
  id: string
  email: string
  /** What records that name the address have said. */
  traits: JsonObject
  /** Submissions with their address that count, and the receipt of the latest, epoch milliseconds. */
  submissions: number
  lastSubmittedAt: number | null
}

export interface PersonListQuery {
  accountId: string
  limit: number
  /** Goes on behind this one; `null`: from the latest on. */
  behind: Cursor | null
  /** Looked for in address, id and traits, whatever its case; a whole address is found at once. */
  q?: string | undefined
}

export interface PersonList {
  persons: ListedPerson[]
  /** Where the next page begins; `null`: this is the last. */
  next: Cursor | null
}

export interface PersonRecordsQuery {
  accountId: string
  email: string
  kinds: EntryKind[]
  latestMax?: number
  /** Called for each unreadable record, which is skipped. Without a callback, reading throws. */
  onUnreadable?: (leftOut: LeftOut) => void
}

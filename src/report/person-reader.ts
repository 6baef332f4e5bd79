import { type Static, Type } from '@sinclair/typebox'
import type { EntryKind } from '../ledger/entry.ts'
import type { Cursor, LedgerRow } from '../ledger/ledger.ts'
import { instantOrNull } from '../lib/instant.ts'
import type { JsonObject } from '../lib/json-value.ts'
import { count, sentObject, text, textOrNull, texts } from '../lib/schema.ts'
import type { Touch } from '../processing/attribution/touch.ts'
import { type Column, columnsOf } from './csv.ts'
import { touchColumns, touches } from './record.ts'

/** What is known about a person, from all their records. Records of the test page belong to nobody. */
export interface KnownPerson {
  /** UUIDv7 of when they became known. */
  id: string
  email: string
  traits: JsonObject
  /** Receipt of their first and last record, epoch milliseconds; `null`: none is left. */
  firstSeenAt: number | null
  lastSeenAt: number | null
  /** Devices that were tied to them, in that order. */
  deviceIds: string[]
  first: Touch | null
  last: Touch | null
  /** Accepted and released submissions. */
  submissions: number
  /** Tracked events, page views and clicks. */
  events: number
}

/**
 * The persons of an account, as far as records have been processed.
 *
 * Guarantees: each answer is of one state of the database, and the same for the same records in whatever order they
 * were committed.
 */
export interface PersonReader {
  /** Persons after `after` (`null`: from the first), in the order in which they became known. */
  page(query: { accountId: string; after: Cursor | null; limit: number }): Promise<PersonRow[]>
  /** The person of the address (as `identityEmail` writes it); `null`: there is none. */
  named(accountId: string, email: string): Promise<KnownPerson | null>
  /** The same by `personId`. */
  withId(accountId: string, id: string): Promise<KnownPerson | null>
  /** Most recently known first. A page of a search may be empty and still have a next one, because it searches a limited number of persons. */
  latest(query: PersonListQuery): Promise<PersonList>
  /** The sender's records up to and including a submission, in order of receipt; at most the latest `limit`. */
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
  /** `null`: the sender is unknown; then the records of the device are read. */
  personId: string | null
  deviceId: string | null
  /** The submission's receipt, epoch milliseconds, and its place in the ledger. */
  until: { receivedAt: number; cursor: Cursor }
  limit: number
}

/** A person in a list, without counts over all their records. */
export interface ListedPerson {
  id: string
  email: string
  /** Values from records that name the address. */
  traits: JsonObject
  /** The number of counted submissions with their address. */
  submissions: number
  /** The name that they gave last, in one of their ten latest submissions that counts; `null`: in none. */
  sentName: string | null
}

export interface PersonListQuery {
  accountId: string
  limit: number
  /** Continues after this place; `null`: from the latest. */
  behind: Cursor | null
  /** Text to find in address, id, traits and the name that they gave last, ignoring case; a complete address is found at once. */
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
}

/** A person as exported (docs/exports.md). */
export const personSchema = Type.Object({
  personId: text,
  email: text,
  traits: sentObject,
  /** ISO 8601 UTC with milliseconds; `null`: none of their records is left. */
  firstSeenAt: textOrNull,
  lastSeenAt: textOrNull,
  deviceIds: texts,
  attribution: touches,
  /** How many records `export submissions` and `export events` print of them. */
  submissions: count,
  events: count,
})
export type PersonRecord = Static<typeof personSchema>

export const personColumns: Column<PersonRecord>[] = columnsOf(personSchema, { attribution: touchColumns })

export const personRecord = (person: KnownPerson): PersonRecord => ({
  personId: person.id,
  email: person.email,
  traits: person.traits,
  firstSeenAt: instantOrNull(person.firstSeenAt),
  lastSeenAt: instantOrNull(person.lastSeenAt),
  deviceIds: person.deviceIds,
  attribution: { first: person.first, last: person.last },
  submissions: person.submissions,
  events: person.events,
})

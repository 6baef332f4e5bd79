import { and, asc, eq, gt, inArray, type SQL } from 'drizzle-orm'
import type { EntryKind } from '../../../ledger/entry.ts'
import { identityEmail } from '../../../ledger/identity-email.ts'
import type { LedgerRow } from '../../../ledger/ledger.ts'
import type { JsonObject } from '../../../lib/json-value.ts'
import { parseLosslessText } from '../../../lib/lossless-json.ts'
import { mergedTraits, plainTraits } from '../../../processing/person/persons.ts'
import type {
  KnownPerson,
  PersonList,
  PersonListQuery,
  PersonReader,
  PersonRecordsQuery,
  PersonRow,
  WayQuery,
} from '../../../report/person-reader.ts'
import type { Connection } from '../database/connection.ts'
import { decodedRows, entryKinds } from '../ledger/ledger-codec.ts'
import { emailMark } from '../processing/email-mark.ts'
import { decodeTraits } from '../processing/traits-codec.ts'
import { account } from '../schema/account-schema.ts'
import { ledger } from '../schema/ledger-schema.ts'
import { person } from '../schema/processing-schema.ts'
import { intervalsJson, ownershipOf } from './intervals.ts'
import { latestPersons, listed } from './latest-persons.ts'
import { deviceTraitsQuery, seenQuery, sequencesQuery } from './person-queries.ts'
import { personTouches } from './person-touches.ts'
import { wayTo } from './way-to.ts'

/** Ledger rows in memory at a time. */
const pageRows = 256

type StoredPerson = typeof person.$inferSelect

const isNamed = (email: string) => and(eq(person.emailMark, emailMark(email)), eq(person.email, email))

/** Persons, assembled from their devices' ties when read. */
export class SqlitePersonReader implements PersonReader {
  constructor(private readonly reader: Connection) {}

  async page({ accountId, after, limit }: Parameters<PersonReader['page']>[0]): Promise<PersonRow[]> {
    const { db } = this.reader
    return db.transaction(() =>
      db
        .select()
        .from(person)
        .where(and(eq(person.accountRow, this.accountRow(accountId)), gt(person.row, Number(after ?? 0))))
        .orderBy(asc(person.row))
        .limit(limit)
        .all()
        .map((row) => ({ cursor: String(row.row), person: this.known(row) })),
    )
  }

  async named(accountId: string, email: string): Promise<KnownPerson | null> {
    return this.knownIf(accountId, isNamed(email))
  }

  async withId(accountId: string, id: string): Promise<KnownPerson | null> {
    return this.knownIf(accountId, eq(person.id, id))
  }

  async latest(query: PersonListQuery): Promise<PersonList> {
    const address = query.q === undefined || query.behind !== null ? null : identityEmail(query.q)
    const named = address === null ? undefined : this.find(query.accountId, isNamed(address))
    if (named !== undefined) return { persons: [listed(this.reader, named)], next: null }
    return latestPersons(this.reader, query)
  }

  async way(query: WayQuery): Promise<LedgerRow[]> {
    return this.rows(query.accountId, wayTo(this.reader, query))
  }

  async *records(query: PersonRecordsQuery): AsyncGenerator<LedgerRow[]> {
    const { accountId, email, kinds, latestMax } = query
    const found = this.find(accountId, isNamed(email))
    if (found === undefined) return
    const sequences = this.sequences(found.row, kinds)
    const wanted = latestMax === undefined ? sequences : sequences.slice(-latestMax)
    for (let from = 0; from < wanted.length; from += pageRows) {
      yield this.rows(accountId, wanted.slice(from, from + pageRows))
    }
  }

  private accountRow(accountId: string) {
    return this.reader.db.select({ row: account.row }).from(account).where(eq(account.id, accountId))
  }

  private knownIf(accountId: string, isWanted: SQL | undefined): KnownPerson | null {
    return this.reader.db.transaction(() => {
      const found = this.find(accountId, isWanted)
      return found === undefined ? null : this.known(found)
    })
  }

  private find(accountId: string, isWanted: SQL | undefined): StoredPerson | undefined {
    const isOfAccount = eq(person.accountRow, this.accountRow(accountId))
    return this.reader.db.select().from(person).where(and(isOfAccount, isWanted)).get()
  }

  private known(stored: StoredPerson): KnownPerson {
    const { intervals, deviceIds } = ownershipOf(this.reader, stored.row)
    const json = intervalsJson(intervals)
    const seen = this.reader.raw.query<SeenRow, [string, number]>(seenQuery).get(json, stored.row)
    return {
      id: stored.id,
      email: stored.email,
      traits: this.traits(stored, json),
      ...(seen ?? unseen),
      deviceIds,
      ...personTouches(this.reader, intervals),
    }
  }

  /** What records that name the person say, and what their devices say without naming anybody. */
  private traits({ traits }: StoredPerson, intervals: string): JsonObject {
    let merged = decodeTraits(traits)
    for (const row of this.reader.raw.query<DeviceTraitsRow, [string]>(deviceTraitsQuery).iterate(intervals)) {
      merged = mergedTraits(merged, parseLosslessText(row.traits) as JsonObject, { at: row.at, id: row.id })
    }
    return plainTraits(merged)
  }

  /** Eight bytes for each record: 8 MB for a million. */
  private sequences(personRow: number, kinds: EntryKind[]): number[] {
    const { raw, db } = this.reader
    return db.transaction(() => {
      const intervals = intervalsJson(ownershipOf(this.reader, personRow).intervals)
      const numbers = JSON.stringify(kinds.map((kind) => entryKinds[kind]))
      return raw
        .query<{ sequence: number }, [string, number, string]>(sequencesQuery)
        .all(intervals, personRow, numbers)
        .map(({ sequence }) => sequence)
    })
  }

  private rows(accountId: string, sequences: number[]): LedgerRow[] {
    const { db } = this.reader
    const rows = db.select().from(ledger).where(inArray(ledger.sequence, sequences)).orderBy(asc(ledger.sequence)).all()
    return decodedRows(rows, accountId)
  }
}

interface SeenRow {
  firstSeenAt: number | null
  lastSeenAt: number | null
  submissions: number
  events: number
}

const unseen: SeenRow = { firstSeenAt: null, lastSeenAt: null, submissions: 0, events: 0 }

interface DeviceTraitsRow {
  at: number
  id: string
  traits: string
}

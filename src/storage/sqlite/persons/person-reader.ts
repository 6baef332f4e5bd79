import { and, asc, eq, gt, inArray, type SQL } from 'drizzle-orm'
import type { EntryKind } from '../../../ledger/entry.ts'
import { identityEmail } from '../../../ledger/identity-email.ts'
import type { LedgerRow } from '../../../ledger/ledger.ts'
import type { JsonObject } from '../../../lib/json-value.ts'
import { parseLosslessText } from '../../../lib/lossless-json.ts'
import { isDirect, type Touch } from '../../../processing/attribution/touch.ts'
import type { RecordedTouch } from '../../../processing/attribution/touches.ts'
import { isLater } from '../../../processing/ledger-item.ts'
import { mergedTraits, plainTraits } from '../../../processing/person/persons.ts'
import type {
  KnownPerson,
  ListedPerson,
  PersonList,
  PersonListQuery,
  PersonReader,
  PersonRecordsQuery,
  PersonRow,
  WayQuery,
} from '../../../report/person-reader.ts'
import { senderName } from '../../../report/sender-name.ts'
import type { Connection } from '../database/connection.ts'
import { storedJson } from '../database/damage.ts'
import { decodedRows, entryKinds } from '../ledger/ledger-codec.ts'
import { recordField } from '../lookup/ledger-tree.ts'
import { decodeTraits, emailMark } from '../processing/person-rows.ts'
import { account } from '../schema/account-schema.ts'
import { ledger } from '../schema/ledger-schema.ts'
import { person } from '../schema/processing-schema.ts'
import {
  deviceTraitsQuery,
  firstTouchBeforeQuery,
  firstTouchQuery,
  type Interval,
  intervalsJson,
  lastTouchBeforeQuery,
  lastTouchQuery,
  ownershipOf,
  seenQuery,
  sequencesQuery,
} from './own-records.ts'

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

/** Persons examined for one part of a search: a few ms, with what each of them sent last. */
const searchedMax = 250

type PersonText = Pick<StoredPerson, 'row' | 'id' | 'email' | 'traits'>

/** A page of an account's persons in the order in which they became known, latest first. */
function latestPersons(connection: Connection, { accountId, limit, behind, q }: PersonListQuery): PersonList {
  const text = q?.toLowerCase()
  const found: PersonText[] = []
  let last: PersonText | null = null
  let looked = 0
  // One more than shown or examined: it shows whether there is a next page.
  const rows = connection.raw
    .query<PersonText, [string, number, number]>(latestQuery)
    .iterate(accountId, Number(behind ?? Number.MAX_SAFE_INTEGER), text === undefined ? limit + 1 : searchedMax + 1)
  for (const row of rows) {
    if (found.length === limit || looked === searchedMax) return { persons: found.map(asListed), next: cursorOf(last) }
    looked++
    last = row
    if (text === undefined || hasText(connection, row, text)) found.push(row)
  }
  return { persons: found.map(asListed), next: null }

  function asListed(row: PersonText): ListedPerson {
    return listed(connection, row)
  }
}

const latestQuery = `SELECT row, id, email, traits FROM person
  WHERE account_row = (SELECT row FROM account WHERE id = ?) AND row < ? ORDER BY row DESC LIMIT ?`

const cursorOf = (last: PersonText | null): string | null => (last === null ? null : String(last.row))

function hasText(connection: Connection, { row, id, email, traits }: PersonText, text: string): boolean {
  if (email.includes(text) || id === text || hasTrait(traits, JSON.stringify(text).slice(1, -1))) return true
  // What they sent costs more to read than all else: a part of an address is in no name.
  return !text.includes('@') && sentNameOf(connection, row)?.toLowerCase().includes(text) === true
}

/** The stored text holds more than the traits: only reading it shows whether the match is a trait. */
const hasTrait = (traits: string, text: string): boolean =>
  traits.toLowerCase().includes(text) && JSON.stringify(traitsOf(traits)).toLowerCase().includes(text)

const traitsOf = (text: string): JsonObject => plainTraits(decodeTraits(text))

function listed(connection: Connection, { row, id, email, traits }: PersonText): ListedPerson {
  const counted = connection.raw
    .query<Pick<ListedPerson, 'submissions'>, [number]>(
      `SELECT count(*) AS submissions FROM submission_fact
       WHERE person_row = ? AND (status = 'accepted' OR released_at IS NOT NULL)`,
    )
    .get(row)
  const sentName = sentNameOf(connection, row)
  return { id, email, traits: traitsOf(traits), sentName, submissions: counted?.submissions ?? 0 }
}

function sentNameOf({ raw }: Connection, row: number): string | null {
  for (const { fields } of raw.query<{ fields: string | null }, [number]>(latestFieldsQuery).iterate(row)) {
    const name = senderName(parseLosslessText(fields ?? '{}') as JsonObject)
    if (name !== null) return name
  }
  return null
}

/** In the order of the ledger, which the index has: whoever sent thousands costs no more than whoever sent ten. */
export const latestFieldsQuery = `SELECT ${recordField('fields')} AS fields FROM ledger WHERE sequence IN
  (SELECT sequence FROM
     (SELECT sequence, status, released_at FROM submission_fact WHERE person_row = ? ORDER BY sequence DESC LIMIT 10)
   WHERE status = 'accepted' OR released_at IS NOT NULL)
  ORDER BY sequence DESC`

/**
 * A person's first and last touch: the earliest of their records' touches, and the latest that is not direct (the
 * first, if all are). For each device, the last touch before it was tied to them counts too, since that is where they
 * came from.
 */
function personTouches(connection: Connection, intervals: Interval[]): { first: Touch | null; last: Touch | null } {
  const json = intervalsJson(intervals)
  const before = intervals.flatMap((interval) => touchBefore(connection, interval))
  const firsts = [...found(connection, firstTouchQuery, json), ...before]
  const lasts = [...found(connection, lastTouchQuery, json), ...before.filter(({ touch }) => !isDirect(touch))]
  const first = latest(firsts, -1)?.touch ?? null
  return { first, last: latest(lasts, 1)?.touch ?? first }
}

function touchBefore(connection: Connection, { deviceRow, from }: Interval): RecordedTouch[] {
  if (from === null) return []
  const last = found(connection, lastTouchBeforeQuery, deviceRow, from.at, from.id)
  return last.length > 0 ? last : found(connection, firstTouchBeforeQuery, deviceRow, from.at, from.id)
}

function found({ raw }: Connection, query: string, ...asked: (string | number)[]): RecordedTouch[] {
  const row = raw.query<TouchRow, (string | number)[]>(query).get(...asked)
  return row === null ? [] : [{ receipt: { at: row.at, id: row.id }, touch: storedJson(row.touch) }]
}

/** The latest of them; for direction -1 the earliest. */
const latest = (touches: RecordedTouch[], direction: 1 | -1): RecordedTouch | undefined =>
  touches.toSorted((one, other) => (isLater(one.receipt, other.receipt) ? -direction : direction))[0]

interface TouchRow {
  at: number
  id: string
  touch: string
}

/** Intervals examined, latest first: somebody who borrows a device again and again has thousands. */
const intervalsMax = 50

interface Step {
  sequence: number
  receivedAt: number
}

/**
 * Positions in the ledger of the records on a person's way to a submission, in order of receipt. Each interval is read
 * by index.
 */
function wayTo(connection: Connection, { accountId, personId, deviceId, until, limit }: WayQuery): number[] {
  const intervals =
    personId === null ? ofDevice(connection, accountId, deviceId) : ofPerson(connection, accountId, personId)
  const steps = connection.raw.query<Step, [number, number, number, number]>(
    `SELECT sequence, received_at AS receivedAt FROM device_entry
     WHERE device_row = ? AND received_at BETWEEN ? AND ? ORDER BY received_at DESC, sequence DESC LIMIT ?`,
  )
  const last: Step = { sequence: Number(until.cursor), receivedAt: until.receivedAt }
  const found = new Map([[last.sequence, last]])
  for (const interval of intervals) {
    const to = Math.min(until.receivedAt, (interval.until?.at ?? Number.MAX_SAFE_INTEGER) - 1)
    for (const step of steps.all(interval.deviceRow, interval.from?.at ?? -1, to, limit)) {
      if (isBefore(step, last)) found.set(step.sequence, step)
    }
  }
  return [...found.values()]
    .sort((one, other) => (isBefore(one, other) ? -1 : 1))
    .slice(-limit)
    .map(({ sequence }) => sequence)
}

const isBefore = (one: Step, other: Step): boolean =>
  one.receivedAt < other.receivedAt || (one.receivedAt === other.receivedAt && one.sequence < other.sequence)

function ofPerson(connection: Connection, accountId: string, personId: string): Interval[] {
  const found = connection.raw
    .query<{ row: number }, [string, string]>(
      'SELECT row FROM person WHERE account_row = (SELECT row FROM account WHERE id = ?) AND id = ?',
    )
    .get(accountId, personId)
  if (found === null) return []
  return ownershipOf(connection, found.row)
    .intervals.sort((one, other) => (other.from?.at ?? -1) - (one.from?.at ?? -1))
    .slice(0, intervalsMax)
}

function ofDevice({ raw }: Connection, accountId: string, deviceId: string | null): Interval[] {
  if (deviceId === null) return []
  const found = raw
    .query<{ row: number }, [string, string]>(
      'SELECT row FROM device WHERE account_row = (SELECT row FROM account WHERE id = ?) AND id = ?',
    )
    .get(accountId, deviceId)
  return found === null ? [] : [{ deviceRow: found.row, from: null, until: null }]
}

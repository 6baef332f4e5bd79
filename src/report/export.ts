import type { Entry, EntryKind } from '../ledger/entry.ts'
import type { Cursor, Ledger, LedgerRow } from '../ledger/ledger.ts'
import { type EntryFacts, type FactReader, noFacts } from './entry-facts.ts'
import {
  type KnownPerson,
  type PersonReader,
  type PersonRecord,
  type PersonRow,
  personRecord,
} from './person-reader.ts'
import { type EventRecord, eventRecord, type SubmissionRecord, submissionRecord } from './record.ts'

/** Which submissions are wanted. */
export type Include = 'accepted' | 'refused' | 'all'

export interface ExportOptions {
  ledger: Ledger
  facts: FactReader
  accountId: string
  what: 'submissions' | 'events'
  /** Receipt from this instant on, epoch milliseconds; `null`: from the first. */
  since: number | null
  /** Receipt before this instant, epoch milliseconds; `null`: to the last. */
  until: number | null
  /** Events are never refused one by one: for them this says nothing. */
  include: Include
  /** Whether to include submissions of the hosted test page. */
  test: boolean
  /** Submissions of one form alone; absent: of all. */
  form?: string | undefined
}

/** Limits how many rows are in memory at a time. At 16 KB a record at most, 4 MB. */
const pageRows = 256

/** What an export of events holds. */
const eventKinds: EntryKind[] = ['event', 'page_view', 'click']

/**
 * The records of an account in order of receipt, which is the order of commit (docs/exports.md).
 *
 * Reads page by page, so that no read holds up the database for long and memory does not grow with the rows.
 */
export function exportedRecords(options: ExportOptions & { what: 'submissions' }): AsyncIterable<SubmissionRecord>
export function exportedRecords(options: ExportOptions & { what: 'events' }): AsyncIterable<EventRecord>
export function exportedRecords(options: ExportOptions): AsyncIterable<SubmissionRecord | EventRecord> {
  return options.what === 'submissions' ? submissions(options) : events(options)
}

async function* submissions(options: ExportOptions): AsyncGenerator<SubmissionRecord> {
  for await (const rows of pages(options, ['submission'])) {
    for (const record of submissionRecords(await withFacts(rows, options))) {
      if (options.form !== undefined && record.formId !== options.form) continue
      if (options.include === 'all' || options.include === record.status) yield record
    }
  }
}

async function* events(options: ExportOptions): AsyncGenerator<EventRecord> {
  for await (const rows of pages(options, eventKinds)) yield* eventRecords(await withFacts(rows, options))
}

async function* pages(options: ExportOptions, kinds: EntryKind[]): AsyncGenerator<LedgerRow[]> {
  let after: Cursor | null = null
  for (;;) {
    const rows: LedgerRow[] = await options.ledger.readAfter({
      accountId: options.accountId,
      kinds,
      after,
      limit: pageRows,
      ...(options.since === null ? {} : { receivedFrom: options.since }),
      ...(options.until === null ? {} : { receivedBefore: options.until }),
    })
    yield options.test ? rows : rows.filter(({ entry }) => !entry.test)
    after = rows.at(-1)?.cursor ?? null
    // Fewer rows than requested mean the end.
    if (rows.length < pageRows) return
  }
}

/** An entry with its facts. */
export interface KnownEntry {
  entry: Entry
  facts: EntryFacts
}

interface FactsOf {
  facts: FactReader
  accountId: string
}

/** The page's entries with their facts. */
export async function withFacts(rows: LedgerRow[], { facts, accountId }: FactsOf): Promise<KnownEntry[]> {
  if (rows.length === 0) return []
  const found = await facts.about(accountId, rows)
  return rows.map(({ entry }, index) => ({ entry, facts: found[index] ?? noFacts }))
}

const submissionRecords = (found: KnownEntry[]): SubmissionRecord[] =>
  found.flatMap(({ entry, facts }) => (entry.kind === 'submission' ? [submissionRecord(entry, facts)] : []))

const eventRecords = (found: KnownEntry[]): EventRecord[] =>
  found.flatMap(({ entry, facts }) => (entry.kind === 'submission' ? [] : [eventRecord(entry, facts)]))

interface PersonExportOptions {
  persons: Pick<PersonReader, 'page'>
  accountId: string
  /** Last seen from this instant on, epoch milliseconds; `null`: whenever. */
  since: number | null
  /** Last seen before this instant, epoch milliseconds; `null`: up to now. */
  until: number | null
}

/** Limits how many persons are in memory at a time. */
const personsAtOnce = 64

/** The persons of an account in the order in which they became known, read page by page. */
export async function* exportedPersons(options: PersonExportOptions): AsyncGenerator<PersonRecord> {
  let after: Cursor | null = null
  for (;;) {
    const rows: PersonRow[] = await options.persons.page({ accountId: options.accountId, after, limit: personsAtOnce })
    for (const { person } of rows) if (isWithin(person, options)) yield personRecord(person)
    after = rows.at(-1)?.cursor ?? null
    if (rows.length < personsAtOnce) return
  }
}

/** A person without records was seen at an unknown time and falls into no period. */
function isWithin({ lastSeenAt }: KnownPerson, { since, until }: PersonExportOptions): boolean {
  if (lastSeenAt === null) return since === null && until === null
  return (since === null || lastSeenAt >= since) && (until === null || lastSeenAt < until)
}

/** The person, and the ports to read their records. */
interface RecordsOf {
  persons: Pick<PersonReader, 'records'>
  facts: FactReader
  accountId: string
  email: string
}

/** The person's submissions as exported, in order of commit; none that is refused. */
export async function* submissionsOf(asked: RecordsOf): AsyncGenerator<SubmissionRecord> {
  for await (const found of foundOf(asked, ['submission'])) yield* submissionRecords(found)
}

/** The person's tracked events, page views and clicks as exported, in order of commit. */
export async function* eventsOf(asked: RecordsOf): AsyncGenerator<EventRecord> {
  for await (const found of foundOf(asked, eventKinds)) yield* eventRecords(found)
}

/** The latest records of the person, latest last. */
export async function latestOf(asked: RecordsOf, latestMax: number): Promise<KnownEntry[]> {
  return (await Array.fromAsync(foundOf(asked, ['submission', ...eventKinds], latestMax))).flat()
}

async function* foundOf(asked: RecordsOf, kinds: EntryKind[], latestMax?: number): AsyncGenerator<KnownEntry[]> {
  const { persons, accountId, email } = asked
  const pages = persons.records({
    accountId,
    email,
    kinds,
    ...(latestMax === undefined ? {} : { latestMax }),
  })
  for await (const rows of pages) yield withFacts(rows, asked)
}

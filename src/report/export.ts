import type { EntryKind } from '../ledger/entry.ts'
import type { Cursor, Ledger, LedgerRow } from '../ledger/ledger.ts'
import type { FactReader } from './entry-facts.ts'
import { eventRecords, submissionRecords, withFacts } from './known-records.ts'
import type { EventRecord, SubmissionRecord } from './record.ts'

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
}

/** Limits how many rows are in memory at a time. At 16 KB a record at most, 4 MB. */
const pageRows = 256

/** What an export of events holds. */
export const eventKinds: EntryKind[] = ['event', 'page_view', 'click']

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

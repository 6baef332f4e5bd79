import type { Entry } from '../ledger/entry.ts'
import type { LedgerRow } from '../ledger/ledger.ts'
import { type EntryFacts, type FactReader, noFacts } from './entry-facts.ts'
import { type EventRecord, eventRecord, type SubmissionRecord, submissionRecord } from './record.ts'

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

export const submissionRecords = (found: KnownEntry[]): SubmissionRecord[] =>
  found.flatMap(({ entry, facts }) => (entry.kind === 'submission' ? [submissionRecord(entry, facts)] : []))

export const eventRecords = (found: KnownEntry[]): EventRecord[] =>
  found.flatMap(({ entry, facts }) => (entry.kind === 'submission' ? [] : [eventRecord(entry, facts)]))

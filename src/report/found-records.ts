import type { Entry } from '../ledger/entry.ts'
import type { LedgerRow } from '../ledger/ledger.ts'
import { type Finding, type Findings, nothingFound } from './findings.ts'
import { type EventRecord, eventRecord, type SubmissionRecord, submissionRecord } from './record.ts'

/** An entry with what is known of it. */
export interface FoundEntry {
  entry: Entry
  finding: Finding
}

export interface FindingsOf {
  findings: Findings
  accountId: string
  /** Told the id of each record of which only what was captured can be read. */
  onUnknown?: (id: string) => void
}

/** The page's entries with what is known of them. */
export async function withFindings(
  rows: LedgerRow[],
  { findings, accountId, onUnknown }: FindingsOf,
): Promise<FoundEntry[]> {
  if (rows.length === 0) return []
  const found = await findings.about(accountId, rows, onUnknown)
  return rows.map(({ entry }, index) => ({ entry, finding: found[index] ?? nothingFound }))
}

export const submissionRecords = (found: FoundEntry[]): SubmissionRecord[] =>
  found.flatMap(({ entry, finding }) => (entry.kind === 'submission' ? [submissionRecord(entry, finding)] : []))

export const eventRecords = (found: FoundEntry[]): EventRecord[] =>
  found.flatMap(({ entry, finding }) => (entry.kind === 'submission' ? [] : [eventRecord(entry, finding)]))

import {
  type Decision,
  type DecisionKind,
  decisionSchemas,
  isDecision,
  type LedgerEntry,
} from '../../../ledger/decision.ts'
import { type Entry, type EntryKind, entrySchemas, type RequestSource } from '../../../ledger/entry.ts'
import { type LedgerRow, UnreadableEntry } from '../../../ledger/ledger.ts'
import type { JsonObject } from '../../../lib/json-value.ts'
import { parseLosslessText } from '../../../lib/lossless-json.ts'

/** The numbers of kinds in the `kind` column. They are on disk: never renumber. */
export const entryKinds: Record<EntryKind, number> = { submission: 1, event: 2, page_view: 3, click: 4 }

/** The numbers of decisions beside them. */
export const decisionKinds: Record<DecisionKind, number> = { release: 5, erasure: 6, refusal: 7, confirmation: 8 }

/**
 * An operator's decisions about one submission, under its id. Written out wherever they are looked up: the index by id is partial,
 * and not used with a parameter.
 */
export const isOfSubmission = `IN (${decisionKinds.release}, ${decisionKinds.refusal})`

/** Captured records; the ledger's other entries are about them. */
export const capturedKinds = Object.values(entryKinds)
export const ledgerKinds = [...capturedKinds, ...Object.values(decisionKinds)]

export const kindNames = new Map(
  Object.entries({ ...entryKinds, ...decisionKinds }).map(([name, number]) => [number, name as LedgerEntry['kind']]),
)

const fieldNames = new Map(
  Object.entries({ ...entrySchemas, ...decisionSchemas }).map(([kind, { properties }]) => [
    kind as LedgerEntry['kind'],
    Object.keys(properties) as (keyof LedgerEntry)[],
  ]),
)

/** All columns of a row of `ledger`, named as in `ledger-schema.ts`. */
export const entryColumns = `ledger.sequence, ledger.account_row AS accountRow, ledger.kind, ledger.id,
  ledger.received_at AS receivedAt, ledger.record, ledger.checksum`

/** The columns from which an entry is rebuilt. */
export interface EntryRow {
  kind: number
  id: string
  receivedAt: number
  record: string
  checksum: number
}

export interface StoredRow extends EntryRow {
  sequence: number
  accountRow: number
}

const fieldSeparator = '\t'
const entrySeparator = '\n'

/**
 * Writes each entry as a line, so that a whole batch is sent to the writing thread as one string (a structured clone of
 * objects costs ten times as much). The JSON comes last and contains neither a raw tab nor a line feed.
 */
export function encodeEntries(entries: readonly Entry[]): string[] {
  let source: RequestSource | null = null
  let sourceJson = ''
  return entries.map((entry) => {
    // Events of one request share their source, which is encoded once.
    if (entry.source !== source) {
      source = entry.source
      sourceJson = JSON.stringify(source)
    }
    return lineOf(entry, `{"source":${sourceJson},${recordJson(entry).slice(1)}`)
  })
}

export const encodeDecision = (decision: Decision): EncodedEntry => encodedEntry(decisionLine(decision))

/** As a line of `encodeEntries`. */
export const decisionLine = (decision: Decision): string => lineOf(decision, recordJson(decision))

const lineOf = ({ kind, id, accountId, receivedAt }: LedgerEntry, record: string): string =>
  `${accountId}\t${entryNumbers[kind]}\t${id}\t${receivedAt}\t${record}`

const entryNumbers: Record<LedgerEntry['kind'], number> = { ...entryKinds, ...decisionKinds }

/** The fields that the kind's schema lists: copying the rest of an object costs four times as much. */
function recordJson(entry: LedgerEntry): string {
  const record: Record<string, unknown> = {}
  for (const name of fieldNames.get(entry.kind) ?? []) record[name] = entry[name]
  return JSON.stringify(record)
}

export const joinEntries = (lines: string[]): string => lines.join(entrySeparator)

/** The parts of a line of `encodeEntries`. */
export interface EncodedEntry extends EntryRow {
  accountId: string
}

export function* splitEntries(text: string): Generator<EncodedEntry> {
  if (text === '') return
  for (const line of text.split(entrySeparator)) yield encodedEntry(line)
}

function encodedEntry(line: string): EncodedEntry {
  const [accountId = '', kind = '', id = '', receivedAt = ''] = line.split(fieldSeparator, 4)
  const recordStart = accountId.length + kind.length + id.length + receivedAt.length + 4
  return {
    accountId,
    kind: Number(kind),
    id,
    receivedAt: Number(receivedAt),
    record: line.slice(recordStart),
    checksum: checksumOfLine(line),
  }
}

/**
 * CRC-32 of an entry's line (`<account id>\t<kind>\t<id>\t<received at>\t<record>`) as the serving thread writes it,
 * in UTF-8. It covers only what was captured and nothing that storage adds, so a ledger replayed into another box has
 * the same. On disk: never change it (docs/decisions/0026).
 */
const checksumOfLine = (line: string): number => Bun.hash.crc32(line)

export const isAsCaptured = (row: EntryRow, accountId: string): boolean => checksumOf(row, accountId) === row.checksum

export const checksumOf = ({ kind, id, receivedAt, record }: EntryRow, accountId: string): number =>
  checksumOfLine(`${accountId}\t${kind}\t${id}\t${receivedAt}\t${record}`)

/** @throws UnreadableEntry for the first row that is not as captured */
export const decodedRows = (rows: readonly StoredRow[], accountId: string): LedgerRow[] =>
  rows.map((row) => ({ cursor: String(row.sequence), entry: decodeEntry(row, accountId) }))

/** The captured record of a row; its numbers keep the digits that were sent. @throws UnreadableEntry if it is not as captured */
export function decodeEntry(row: EntryRow, accountId: string): Entry {
  const entry = decodeLedgerEntry(row, accountId)
  if (isDecision(entry)) throw new UnreadableEntry(row.id)
  return entry
}

/** For what goes on beside a record that is not as captured: `null`. */
export const readableEntry = (row: EntryRow, accountId: string): Entry | null =>
  isAsCaptured(row, accountId) ? decodeEntry(row, accountId) : null

/** @throws UnreadableEntry if the row is not a decision, or not the stored one */
export function decodeDecision(row: EntryRow, accountId: string): Decision {
  const entry = decodeLedgerEntry(row, accountId)
  if (!isDecision(entry)) throw new UnreadableEntry(row.id)
  return entry
}

/** The entry of a row, of any kind. @throws UnreadableEntry if the row is not what was stored */
export function decodeLedgerEntry(row: EntryRow, accountId: string): LedgerEntry {
  const kind = kindNames.get(row.kind)
  if (kind === undefined || !isAsCaptured(row, accountId)) throw new UnreadableEntry(row.id)
  const record = parseLosslessText(row.record) as JsonObject
  return { ...record, kind, id: row.id, accountId, receivedAt: row.receivedAt } as LedgerEntry
}

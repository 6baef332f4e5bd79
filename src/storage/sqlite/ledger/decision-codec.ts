import type { Decision, DecisionKind, ErasureEntry, LedgerEntry } from '../../../ledger/decision.ts'
import { UnreadableEntry } from '../../../ledger/ledger.ts'
import type { JsonObject, JsonValue } from '../../../lib/json-value.ts'
import { isJsonObject } from '../../../lib/lossless-json.ts'
import { isAsCaptured } from './ledger-checksum.ts'
import {
  capturedKinds,
  decodeEntry,
  type EncodedEntry,
  type EntryRow,
  encodedEntry,
  parsedRecord,
} from './ledger-codec.ts'

/** The numbers of decisions in the `kind` column, beside `entryKinds`. They are on disk: never renumber. */
export const decisionKinds: Record<DecisionKind, number> = { release: 5, erasure: 6 }

/** All kinds of entries in the ledger. */
export const ledgerKinds = [...capturedKinds, ...Object.values(decisionKinds)]

export function encodeDecision(decision: Decision): EncodedEntry {
  const { kind, id, accountId, receivedAt } = decision
  return encodedEntry(
    `${accountId}\t${decisionKinds[kind]}\t${id}\t${receivedAt}\t${JSON.stringify(recordOf(decision))}`,
  )
}

type ErasureRecord = Pick<ErasureEntry, 'erasureId' | 'personId' | 'records' | 'isEnd'>

function recordOf(decision: Decision): object {
  if (decision.kind === 'release') return {}
  const { erasureId, personId, records, isEnd } = decision
  return { erasureId, personId, records, isEnd } satisfies ErasureRecord
}

/** The entry of a row, of any kind. @throws UnreadableEntry if the row is not what was stored */
export const decodeLedgerEntry = (row: EntryRow, accountId: string): LedgerEntry =>
  capturedKinds.includes(row.kind) ? decodeEntry(row, accountId) : decodeDecision(row, accountId)

/** @throws UnreadableEntry if the row is not a decision, or not the stored one */
export function decodeDecision(row: EntryRow, accountId: string): Decision {
  const decision = storedDecision(row, accountId)
  if (isAsCaptured(row, accountId)) return decision
  throw new UnreadableEntry(row.id, 'changed')
}

function storedDecision(row: EntryRow, accountId: string): Decision {
  const { kind, id, receivedAt } = row
  const record = parsedRecord(row)
  const base = { id, accountId, receivedAt }
  if (kind === decisionKinds.release && isJsonObject(record)) return { kind: 'release', ...base }
  if (kind === decisionKinds.erasure && isErasureRecord(record)) return { kind: 'erasure', ...base, ...record }
  throw new UnreadableEntry(id, 'unreadable')
}

function isErasureRecord(record: JsonValue): record is JsonObject & ErasureRecord {
  if (!isJsonObject(record)) return false
  const { erasureId, personId, records, isEnd } = record
  return (
    typeof erasureId === 'string' &&
    (personId === null || typeof personId === 'string') &&
    Array.isArray(records) &&
    records.every((id) => typeof id === 'string') &&
    typeof isEnd === 'boolean'
  )
}

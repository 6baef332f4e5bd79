import type { Decision, DecisionKind, LedgerEntry } from '../../../ledger/decision.ts'
import { UnreadableEntry } from '../../../ledger/ledger.ts'
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

/** How a kind of decision is written in the `kind` column, beside `entryKinds`. Never renumber: the numbers are on disk. */
export const decisionKinds: Record<DecisionKind, number> = { release: 5 }

/** Of all that stands in the ledger. */
export const ledgerKinds = [...capturedKinds, ...Object.values(decisionKinds)]

export const encodeDecision = ({ kind, id, accountId, receivedAt }: Decision): EncodedEntry =>
  encodedEntry(`${accountId}\t${decisionKinds[kind]}\t${id}\t${receivedAt}\t{}`)

/** What a row of the ledger holds, of whatever kind. @throws UnreadableEntry when it is not what was stored */
export const decodeLedgerEntry = (row: EntryRow, accountId: string): LedgerEntry =>
  row.kind === decisionKinds.release ? decodeDecision(row, accountId) : decodeEntry(row, accountId)

/** @throws UnreadableEntry when the row holds no decision, or not the one that was stored */
export function decodeDecision(row: EntryRow, accountId: string): Decision {
  const { id, receivedAt } = row
  if (!isJsonObject(parsedRecord(row))) throw new UnreadableEntry(id, 'unreadable')
  if (!isAsCaptured(row, accountId)) throw new UnreadableEntry(id, 'changed')
  return { kind: 'release', id, accountId, receivedAt }
}

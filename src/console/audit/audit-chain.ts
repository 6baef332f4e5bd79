import type { JsonObject, JsonValue } from '../../lib/json-value.ts'
import type { ChainFault, ChainPlace } from '../../operations/audit/chain-check.ts'
import type { AuditEntry, ChainedText, LineText } from './audit-log.ts'

/** Where the chain begins. */
export const chainStart: ChainPlace = { seq: 0, hash: '0'.repeat(64) }

/**
 * SHA-256, in hexadecimal, of a line and the hash of the line before it: over the UTF-8 text of this array as JSON without
 * spaces (docs/console.md). Nothing about it may change: every line that was ever written is checked by it.
 */
export function lineHash(seq: number, previous: string, line: LineText): string {
  const { id, at, actor, address, action, accountId, subject, outcome, before, after } = line
  const covered = [
    ...[seq, previous, id, at, actor.kind, actor.id, actor.label, address],
    ...[action, accountId, subject, outcome, before, after],
  ]
  return new Bun.CryptoHasher('sha256').update(JSON.stringify(covered)).digest('hex')
}

/** Follows the chain line by line from a place that is known, and finds the first line that does not fit. */
export class ChainWalk {
  lines = 0

  constructor(public place: ChainPlace) {}

  /** @returns `null`: the line follows the one before it */
  next(line: ChainedText): ChainFault | null {
    const expected = this.place.seq + 1
    if (line.seq > expected) return { fault: 'missing', from: expected, to: line.seq - 1 }
    if (line.seq < expected) return { fault: 'inserted', seq: line.seq }
    if (line.hash !== lineHash(line.seq, this.place.hash, line)) return { fault: 'changed', seq: line.seq }
    this.place = { seq: line.seq, hash: line.hash }
    this.lines++
    return null
  }
}

/** A text as the database gives it back: half a surrogate pair, which cutting may leave, is none. */
export const storable = (entry: AuditEntry): AuditEntry => ({
  ...entry,
  actor: { ...entry.actor, id: entry.actor.id.toWellFormed(), label: entry.actor.label.toWellFormed() },
  address: entry.address.toWellFormed(),
  subject: entry.subject.toWellFormed(),
})

export const textOf = ({ before, after, ...entry }: AuditEntry): LineText => ({
  ...entry,
  before: before === null ? null : JSON.stringify(before),
  after: after === null ? null : JSON.stringify(after),
})

/** A line as `capture audit export` prints it, with what checking it needs. */
interface ExportedLine extends Omit<ChainedText, 'at' | 'before' | 'after'> {
  /** The hash of the line before. */
  previous: string
  at: string
  before: JsonValue
  after: JsonValue
}

export const exportedLine = ({ at, before, after, ...line }: ChainedText, previous: string): ExportedLine => ({
  ...line,
  previous,
  at: new Date(at).toISOString(),
  before: before === null ? null : jsonOrText(before),
  after: after === null ? null : jsonOrText(after),
})

/** What somebody wrote into the database need not be JSON; the line does not match its hash then. */
function jsonOrText(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    return text
  }
}

/** Reads an exported line; `null`: it is none. */
export function readExportedLine(text: string): (ChainedText & { previous: string }) | null {
  try {
    const { previous, at, before, after, ...line } = JSON.parse(text) as ExportedLine & JsonObject
    const isLine = Number.isSafeInteger(line.seq) && typeof line.hash === 'string' && typeof previous === 'string'
    if (!isLine || typeof line.actor !== 'object' || line.actor === null) return null
    return { ...line, previous, at: Date.parse(at), before: textOrNull(before), after: textOrNull(after) }
  } catch {
    return null
  }
}

const textOrNull = (value: JsonValue): string | null => (value === null ? null : JSON.stringify(value))

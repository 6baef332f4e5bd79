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

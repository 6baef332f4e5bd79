import { and, asc, desc, eq, gte, like, lt, lte, or, type SQL } from 'drizzle-orm'
import { ChainWalk, chainStart, lineHash, storable, textOf } from '../../../console/audit/audit-chain.ts'
import type { AuditEntry, AuditLine, AuditLog, AuditQuery, ChainedText } from '../../../console/audit/audit-log.ts'
import { OperatorError } from '../../../lib/operator-error.ts'
import type { ChainCheck, ChainFault, ChainPlace } from '../../../operations/audit/chain-check.ts'
import type { Connection } from '../database/connection.ts'
import { writeTransaction } from '../database/write-transaction.ts'
import { auditChain, auditEntry, isUndone } from '../schema/console-schema.ts'

type AuditRow = typeof auditEntry.$inferSelect

export class SqliteAuditLog implements AuditLog {
  constructor(private readonly connection: Connection) {}

  async add(given: AuditEntry): Promise<void> {
    const entry = storable(given)
    const { actor, ...row } = entry
    writeTransaction(this.connection, () => {
      const { headSeq, headHash } = this.chain()
      const seq = headSeq + 1
      const hash = lineHash(seq, headHash, textOf(entry))
      const { db } = this.connection
      db.insert(auditEntry)
        .values({ ...row, actorKind: actor.kind, actorId: actor.id, actorLabel: actor.label, seq, hash })
        .run()
      db.update(auditChain).set({ headSeq: seq, headHash: hash }).run()
    })
  }

  async read({ before, text, accountId, user, failed, limit }: AuditQuery): Promise<AuditLine[]> {
    const wanted: (SQL | undefined)[] = [
      before === undefined ? undefined : lt(auditEntry.id, before),
      text === undefined ? undefined : containing(text),
      accountId === undefined ? undefined : eq(auditEntry.accountId, accountId),
      user === undefined ? undefined : and(eq(auditEntry.actorKind, 'user'), eq(auditEntry.actorLabel, user)),
      failed ? isUndone : undefined,
    ]
    const { db } = this.connection
    const rows = db
      .select()
      .from(auditEntry)
      .where(and(...wanted))
      .orderBy(desc(auditEntry.id))
      .limit(limit)
      .all()
    return rows.map(lineOf)
  }

  async linesAfter(seq: number, limit: number): Promise<ChainedText[]> {
    return linesAfter(this.connection, seq, limit)
  }

  async anchor(): Promise<ChainPlace> {
    const { anchorSeq, anchorHash } = this.chain()
    return { seq: anchorSeq, hash: anchorHash }
  }

  async check(): Promise<ChainCheck> {
    return checkChain(this.connection)
  }

  /** Deletes the lines before the first that is kept: the chain has no gaps, even where the clock went back. */
  async eraseBefore(at: number): Promise<number> {
    return writeTransaction(this.connection, () => {
      const { db } = this.connection
      const bySeq = asc(auditEntry.seq)
      const isNew = gte(auditEntry.at, at)
      const kept = db.select({ seq: auditEntry.seq }).from(auditEntry).where(isNew).orderBy(bySeq).limit(1).get()
      const { anchorSeq, headSeq } = this.chain()
      const lastSeq = kept === undefined ? headSeq : kept.seq - 1
      if (lastSeq === anchorSeq) return 0
      const last = db.select({ hash: auditEntry.hash }).from(auditEntry).where(eq(auditEntry.seq, lastSeq)).get()
      if (last === undefined) return 0
      const erased = db.delete(auditEntry).where(lte(auditEntry.seq, lastSeq)).returning({ id: auditEntry.id }).all()
      db.update(auditChain).set({ anchorSeq: lastSeq, anchorHash: last.hash }).run()
      return erased.length
    })
  }

  private chain(): typeof auditChain.$inferSelect {
    const state = chainState(this.connection)
    if (state !== undefined) return state
    throw new OperatorError('The audit log has lost the note of its last line. Restore a backup: capture help restore.')
  }
}

function containing(text: string): SQL | undefined {
  const pattern = `%${text.replaceAll(/[%_]/g, '')}%`
  return or(like(auditEntry.action, pattern), like(auditEntry.actorLabel, pattern), like(auditEntry.subject, pattern))
}

const lineOf = ({ actorKind, actorId, actorLabel, ...row }: AuditRow): AuditLine => ({
  ...row,
  actor: { kind: actorKind, id: actorId, label: actorLabel },
})

const linesAtOnce = 500

interface LineRow {
  seq: number
  hash: string
  id: string
  at: number
  actorKind: AuditEntry['actor']['kind']
  actorId: string
  actorLabel: string
  address: string
  action: AuditEntry['action']
  accountId: string | null
  subject: string
  outcome: AuditEntry['outcome']
  before: string | null
  after: string | null
}

/** Numbered lines, oldest first, with the JSON as it is stored: what somebody wrote into it need not be JSON. */
export const linesAfter = ({ raw }: Pick<Connection, 'raw'>, seq: number, limit: number): ChainedText[] =>
  raw
    .query<LineRow, [number, number]>(
      `SELECT seq, hash, id, at, actor_kind AS actorKind, actor_id AS actorId, actor_label AS actorLabel, address, action,
        account_id AS accountId, subject, outcome, before, after
      FROM audit_entry WHERE seq > ? ORDER BY seq LIMIT ?`,
    )
    .all(seq, limit)
    .map(({ actorKind, actorId, actorLabel, ...line }) => ({
      ...line,
      actor: { kind: actorKind, id: actorId, label: actorLabel },
    }))

const chainState = ({ db }: Pick<Connection, 'db'>) => db.select().from(auditChain).get()

/** The last line that was written. */
export function auditHead(connection: Pick<Connection, 'db'>): ChainPlace | null {
  const state = chainState(connection)
  return state === undefined || state.headSeq === 0 ? null : { seq: state.headSeq, hash: state.headHash }
}

/** Reads the last lines of the chain, or all of them, as they were at one instant. */
export const checkChain = (connection: Connection, linesMax?: number): ChainCheck =>
  connection.db.transaction(() => {
    const state = chainState(connection)
    if (state === undefined) return { lines: 0, head: null, fault: { fault: 'unanchored' } }
    const anchor = { seq: state.anchorSeq, hash: state.anchorHash }
    const isBounded = linesMax !== undefined && state.headSeq - linesMax > anchor.seq
    const begin = isBounded ? placeAt(connection, state.headSeq - linesMax) : anchor
    const walk = new ChainWalk(begin)
    const head = { seq: state.headSeq, hash: state.headHash }
    // Below the anchor, nothing should be left.
    const fault = firstFault(connection, { walk, after: isBounded ? begin.seq : Number.MIN_SAFE_INTEGER, head })
    return { lines: walk.lines, head: head.seq === 0 ? null : head, fault }
  })

/** The place of this line, or of the next one if this is gone. */
function placeAt(connection: Connection, seq: number): ChainPlace {
  const [line] = linesAfter(connection, seq - 1, 1)
  return line === undefined ? chainStart : { seq: line.seq, hash: line.hash }
}

interface ToRead {
  walk: ChainWalk
  after: number
  head: ChainPlace
}

function firstFault(connection: Connection, { walk, after, head }: ToRead): ChainFault | null {
  let lines = linesAfter(connection, after, linesAtOnce)
  while (lines.length > 0) {
    for (const line of lines) {
      const fault = line.seq > head.seq ? { fault: 'inserted' as const, seq: line.seq } : walk.next(line)
      if (fault !== null) return fault
    }
    lines = linesAfter(connection, walk.place.seq, linesAtOnce)
  }
  const { seq, hash } = walk.place
  if (seq < head.seq) return { fault: 'missing', from: seq + 1, to: head.seq }
  return hash === head.hash ? null : { fault: 'changed', seq }
}

import { and, asc, desc, eq, gte, like, lt, lte, or, type SQL } from 'drizzle-orm'
import { lineHash, storable, textOf } from '../../../console/audit/audit-chain.ts'
import type { AuditEntry, AuditLine, AuditLog, AuditQuery, ChainedText } from '../../../console/audit/audit-log.ts'
import { OperatorError } from '../../../lib/operator-error.ts'
import type { ChainCheck, ChainPlace } from '../../../operations/audit/chain-check.ts'
import type { Connection } from '../database/connection.ts'
import { writeTransaction } from '../database/write-transaction.ts'
import { auditChain, auditEntry } from '../schema/console-schema.ts'
import { chainState, checkChain, linesAfter } from './audit-chain.ts'

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

  async read({ before, text, limit }: AuditQuery): Promise<AuditLine[]> {
    const wanted: (SQL | undefined)[] = [
      before === undefined ? undefined : lt(auditEntry.id, before),
      text === undefined ? undefined : containing(text),
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

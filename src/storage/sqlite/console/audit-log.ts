import { and, desc, like, lt, or, type SQL } from 'drizzle-orm'
import type { AuditEntry, AuditLog, AuditQuery } from '../../../console/audit/audit-log.ts'
import type { Connection } from '../database/connection.ts'
import { auditEntry } from './console-schema.ts'

type AuditRow = typeof auditEntry.$inferSelect

export class SqliteAuditLog implements AuditLog {
  constructor(private readonly connection: Pick<Connection, 'db'>) {}

  async add({ actor, ...entry }: AuditEntry): Promise<void> {
    this.connection.db
      .insert(auditEntry)
      .values({ ...entry, actorKind: actor.kind, actorId: actor.id, actorLabel: actor.label })
      .run()
  }

  async read({ before, text, limit }: AuditQuery): Promise<AuditEntry[]> {
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
    return rows.map(entryOf)
  }

  async eraseBefore(at: number): Promise<number> {
    const isOld = lt(auditEntry.at, at)
    return this.connection.db.delete(auditEntry).where(isOld).returning({ id: auditEntry.id }).all().length
  }
}

function containing(text: string): SQL | undefined {
  const pattern = `%${text.replaceAll(/[%_]/g, '')}%`
  return or(like(auditEntry.action, pattern), like(auditEntry.actorLabel, pattern), like(auditEntry.subject, pattern))
}

const entryOf = ({ actorKind, actorId, actorLabel, ...row }: AuditRow): AuditEntry => ({
  ...row,
  actor: { kind: actorKind, id: actorId, label: actorLabel },
})

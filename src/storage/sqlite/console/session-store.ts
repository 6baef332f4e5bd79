import { and, desc, eq, getTableColumns, lt, ne, notInArray, or } from 'drizzle-orm'
import {
  type BrowserSession,
  idleMsMax,
  lifeMsMax,
  type Proof,
  type SessionStore,
  sessionsOfUserMax,
} from '../../../console/session/session.ts'
import type { Connection } from '../database/connection.ts'
import { writeTransaction } from '../database/write-transaction.ts'
import { consoleSession } from '../schema/console-schema.ts'

const { hash: _, ...columns } = getTableColumns(consoleSession)

export class SqliteSessionStore implements SessionStore {
  constructor(private readonly connection: Pick<Connection, 'db'>) {}

  async begin(hash: string, session: BrowserSession): Promise<void> {
    const { db } = this.connection
    writeTransaction({ db }, () => {
      db.insert(consoleSession)
        .values({ hash, ...session })
        .run()
      const { userId, lastUsedAt, id } = consoleSession
      const isTheirs = eq(userId, session.userId)
      const kept = db
        .select({ hash: consoleSession.hash })
        .from(consoleSession)
        .where(isTheirs)
        .orderBy(desc(lastUsedAt), desc(id))
        .limit(sessionsOfUserMax)
      db.delete(consoleSession)
        .where(and(isTheirs, notInArray(consoleSession.hash, kept)))
        .run()
    })
  }

  async find(hash: string): Promise<BrowserSession | null> {
    return this.connection.db.select(columns).from(consoleSession).where(eq(consoleSession.hash, hash)).get() ?? null
  }

  async noteUse(id: string, at: number): Promise<void> {
    this.connection.db.update(consoleSession).set({ lastUsedAt: at }).where(eq(consoleSession.id, id)).run()
  }

  async noteProof(id: string, { at, by, hash }: { at: number; by: Proof; hash: string }): Promise<void> {
    const proof = { provedAt: at, provedBy: by, hash }
    this.connection.db.update(consoleSession).set(proof).where(eq(consoleSession.id, id)).run()
  }

  async ofUser(userId: string): Promise<BrowserSession[]> {
    const isTheirs = eq(consoleSession.userId, userId)
    return this.connection.db
      .select(columns)
      .from(consoleSession)
      .where(isTheirs)
      .orderBy(desc(consoleSession.id))
      .all()
  }

  async end(userId: string, id: string): Promise<boolean> {
    const isIt = and(eq(consoleSession.userId, userId), eq(consoleSession.id, id))
    return this.connection.db.delete(consoleSession).where(isIt).returning({ id: consoleSession.id }).all().length > 0
  }

  async endOthers(userId: string, keptId: string): Promise<number> {
    const isOther = and(eq(consoleSession.userId, userId), ne(consoleSession.id, keptId))
    return this.connection.db.delete(consoleSession).where(isOther).returning({ id: consoleSession.id }).all().length
  }

  async endAll(userId: string): Promise<number> {
    const isTheirs = eq(consoleSession.userId, userId)
    return this.connection.db.delete(consoleSession).where(isTheirs).returning({ id: consoleSession.id }).all().length
  }

  async eraseOver(now: number): Promise<number> {
    const isOver = or(lt(consoleSession.lastUsedAt, now - idleMsMax), lt(consoleSession.createdAt, now - lifeMsMax))
    return this.connection.db.delete(consoleSession).where(isOver).returning({ id: consoleSession.id }).all().length
  }
}

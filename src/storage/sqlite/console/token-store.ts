import { and, desc, eq, getTableColumns, isNull, lt, or } from 'drizzle-orm'
import type { ApiToken, TokenStore } from '../../../console/token/api-token.ts'
import type { Connection } from '../database/connection.ts'
import { apiToken } from './console-schema.ts'

const { hash: _, ...columns } = getTableColumns(apiToken)

export class SqliteTokenStore implements TokenStore {
  constructor(private readonly connection: Pick<Connection, 'db'>) {}

  async create(hash: string, { scopes, ...token }: ApiToken): Promise<void> {
    this.connection.db
      .insert(apiToken)
      .values({ hash, ...token, scopes: [...scopes] })
      .run()
  }

  async find(hash: string): Promise<ApiToken | null> {
    return this.connection.db.select(columns).from(apiToken).where(eq(apiToken.hash, hash)).get() ?? null
  }

  async list(accountId?: string | null): Promise<ApiToken[]> {
    const all = this.connection.db.select(columns).from(apiToken).$dynamic()
    const ofAccount = accountId === null ? isNull(apiToken.accountId) : eq(apiToken.accountId, accountId ?? '')
    return (accountId === undefined ? all : all.where(ofAccount)).orderBy(desc(apiToken.id)).all()
  }

  async revoke(id: string, at: number): Promise<ApiToken | null> {
    const { db } = this.connection
    db.update(apiToken)
      .set({ revokedAt: at })
      .where(and(eq(apiToken.id, id), isNull(apiToken.revokedAt)))
      .run()
    return db.select(columns).from(apiToken).where(eq(apiToken.id, id)).get() ?? null
  }

  async noteUse(id: string, at: number): Promise<void> {
    this.connection.db.update(apiToken).set({ lastUsedAt: at }).where(eq(apiToken.id, id)).run()
  }

  async eraseOld(before: number): Promise<number> {
    const isOld = or(lt(apiToken.expiresAt, before), lt(apiToken.revokedAt, before))
    return this.connection.db.delete(apiToken).where(isOld).returning({ id: apiToken.id }).all().length
  }
}

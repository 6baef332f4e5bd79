import { desc, eq, getTableColumns, isNull, lt, or } from 'drizzle-orm'
import type { ApiToken, EndedWithMaker, TokenStore } from '../../../console/token/api-token.ts'
import type { Connection } from '../database/connection.ts'
import { writeTransaction } from '../database/write-transaction.ts'
import { apiToken } from '../schema/console-schema.ts'
import { endOfToken, isAtWork } from './makers.ts'

const { hash: _, ...columns } = getTableColumns(apiToken)

export class SqliteTokenStore implements TokenStore {
  constructor(private readonly connection: Pick<Connection, 'db'>) {}

  async create(hash: string, { scopes, ...token }: ApiToken): Promise<boolean> {
    return writeTransaction(this.connection, () => {
      if (!isAtWork(this.connection, token, token.createdAt)) return false
      this.connection.db
        .insert(apiToken)
        .values({ hash, ...token, scopes: [...scopes] })
        .run()
      return true
    })
  }

  async find(hash: string): Promise<ApiToken | null> {
    return this.connection.db.select(columns).from(apiToken).where(eq(apiToken.hash, hash)).get() ?? null
  }

  async list(accountId?: string | null): Promise<ApiToken[]> {
    const all = this.connection.db.select(columns).from(apiToken).$dynamic()
    const ofAccount = accountId === null ? isNull(apiToken.accountId) : eq(apiToken.accountId, accountId ?? '')
    return (accountId === undefined ? all : all.where(ofAccount)).orderBy(desc(apiToken.id)).all()
  }

  async revoke(id: string, at: number): Promise<{ token: ApiToken; ended: EndedWithMaker } | null> {
    return writeTransaction(this.connection, () => {
      const ended = endOfToken(this.connection, id, at)
      const token = this.connection.db.select(columns).from(apiToken).where(eq(apiToken.id, id)).get()
      return token === undefined ? null : { token, ended }
    })
  }

  async noteUse(id: string, at: number): Promise<void> {
    this.connection.db.update(apiToken).set({ lastUsedAt: at }).where(eq(apiToken.id, id)).run()
  }

  async eraseOld(before: number): Promise<number> {
    const isOld = or(lt(apiToken.expiresAt, before), lt(apiToken.revokedAt, before))
    return this.connection.db.delete(apiToken).where(isOld).returning({ id: apiToken.id }).all().length
  }
}

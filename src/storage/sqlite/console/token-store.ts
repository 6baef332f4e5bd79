import { and, desc, eq, getTableColumns, gt, inArray, isNull, lt, or } from 'drizzle-orm'
import type { Maker } from '../../../console/access/caller.ts'
import type { ApiToken, EndedWithMaker, TokenStore } from '../../../console/token/api-token.ts'
import type { Connection } from '../database/connection.ts'
import { writeTransaction } from '../database/write-transaction.ts'
import { account } from '../schema/account-schema.ts'
import { apiToken, consoleRole, consoleUser, invitation, reportShare } from '../schema/console-schema.ts'

const { hash: _, ...columns } = getTableColumns(apiToken)

export class SqliteTokenStore implements TokenStore {
  constructor(private readonly connection: Pick<Connection, 'db'>) {}

  async create(hash: string, { scopes, ...token }: ApiToken): Promise<boolean> {
    return writeTransaction(this.connection, () => {
      if (!mayStillGive(this.connection, token, { accountId: null, at: token.createdAt })) return false
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

type Database = Pick<Connection, 'db'>

/**
 * Whether the maker may still give access. Call it within the transaction that gives it: since the request was admitted, a token may
 * have been revoked, and a user removed or given another role.
 *
 * @param to.accountId `null`: access to the box, which takes an owner
 */
export function mayStillGive(
  { db }: Database,
  { makerUserId, makerTokenId }: Maker,
  { accountId, at }: { accountId: string | null; at: number },
): boolean {
  if (makerUserId !== null) {
    const isAdmin = accountId === null ? undefined : and(eq(account.id, accountId), eq(consoleRole.role, 'admin'))
    const found = db
      .select({ id: consoleUser.id })
      .from(consoleUser)
      .leftJoin(consoleRole, eq(consoleRole.userId, consoleUser.id))
      .leftJoin(account, eq(account.row, consoleRole.accountRow))
      .where(and(eq(consoleUser.id, makerUserId), or(eq(consoleUser.isOwner, true), isAdmin)))
      .get()
    return found !== undefined
  }
  if (makerTokenId === null) return true
  const isUsable = and(eq(apiToken.id, makerTokenId), isNull(apiToken.revokedAt), gt(apiToken.expiresAt, at))
  return db.select({ id: apiToken.id }).from(apiToken).where(isUsable).get() !== undefined
}

/** Revokes the token, and ends what it has made, directly or indirectly. Within a transaction. */
function endOfToken(connection: Database, tokenId: string, at: number): EndedWithMaker {
  const ended = endMadeBy(connection, { user: null, tokens: [tokenId] }, at)
  return { ...ended, tokens: ended.tokens.filter(({ id }) => id !== tokenId) }
}

/** Ends what the user has made, directly or through tokens. Within a transaction. */
export function endOfUser(connection: Database, userId: string, at: number): EndedWithMaker {
  const { db } = connection
  const own = db.select({ id: apiToken.id }).from(apiToken).where(eq(apiToken.makerUserId, userId)).all()
  return endMadeBy(connection, { user: userId, tokens: own.map(({ id }) => id) }, at)
}

function endMadeBy(
  connection: Database,
  { user, tokens: first }: { user: string | null; tokens: readonly string[] },
  at: number,
): EndedWithMaker {
  const { db } = connection
  const ids = withDescendants(connection, first)
  const tokens = db
    .update(apiToken)
    .set({ revokedAt: at })
    .where(and(inArray(apiToken.id, ids), isNull(apiToken.revokedAt)))
    .returning({ id: apiToken.id, name: apiToken.name })
    .all()
  const shares = db
    .update(reportShare)
    .set({ revokedAt: at })
    .where(and(inArray(reportShare.makerTokenId, ids), isNull(reportShare.revokedAt)))
    .returning({ id: reportShare.id })
    .all()
  const isInvited = or(
    inArray(invitation.makerTokenId, ids),
    user === null ? undefined : eq(invitation.makerUserId, user),
  )
  const withdrawn = db
    .delete(invitation)
    .where(and(isInvited, isNull(invitation.usedAt)))
    .returning({ email: invitation.email })
    .all()
  // Those that are left were accepted.
  const accepted = db.select({ email: invitation.email }).from(invitation).where(isInvited).all()
  return {
    tokens,
    invitations: withdrawn.map(({ email }) => email),
    shares: shares.length,
    accepted: [...new Set(accepted.map(({ email }) => email))],
  }
}

/** Revoked ones too: what they made was ended with them, so that this finds nothing twice. */
function withDescendants({ db }: Database, first: readonly string[]): string[] {
  const all = [...first]
  let made = all
  while (made.length > 0) {
    made = db
      .select({ id: apiToken.id })
      .from(apiToken)
      .where(inArray(apiToken.makerTokenId, made))
      .all()
      .map(({ id }) => id)
    all.push(...made)
  }
  return all
}

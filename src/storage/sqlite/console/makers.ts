import { and, eq, gt, inArray, isNull, or } from 'drizzle-orm'
import type { Maker } from '../../../console/access/caller.ts'
import type { EndedWithMaker } from '../../../console/token/api-token.ts'
import type { Connection } from '../database/connection.ts'
import { apiToken, consoleUser, invitation, reportShare } from '../schema/console-schema.ts'

type Database = Pick<Connection, 'db'>

/** Whether the maker may still make something. Call it within the transaction that stores what was made. */
export function isAtWork({ db }: Database, { makerUserId, makerTokenId }: Maker, now: number): boolean {
  if (makerUserId !== null)
    return (
      db.select({ id: consoleUser.id }).from(consoleUser).where(eq(consoleUser.id, makerUserId)).get() !== undefined
    )
  if (makerTokenId === null) return true
  const isUsable = and(eq(apiToken.id, makerTokenId), isNull(apiToken.revokedAt), gt(apiToken.expiresAt, now))
  return db.select({ id: apiToken.id }).from(apiToken).where(isUsable).get() !== undefined
}

/** Revokes the token, and ends what it has made, directly or indirectly. Within a transaction. */
export function endOfToken(connection: Database, tokenId: string, at: number): EndedWithMaker {
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

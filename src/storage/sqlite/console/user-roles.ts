import { and, eq, isNull, ne, type SQL } from 'drizzle-orm'
import type { AccountRole, UserRole } from '../../../console/access/caller.ts'
import type { Left, PlaceInAccount } from '../../../console/user/user.ts'
import type { Connection } from '../database/connection.ts'
import { accountRowOf } from '../lookup/account-row.ts'
import { account } from '../schema/account-schema.ts'
import { consoleRole, consoleUser, invitation, shownPersonal } from '../schema/console-schema.ts'
import { endOfUser } from './token-store.ts'

type Database = Pick<Connection, 'db' | 'raw'>

/** By account id. */
export function rolesOf({ db }: Database, userId: string): Map<string, UserRole> {
  const rows = db
    .select({ accountId: account.id, role: consoleRole.role, shown: shownPersonal.accountRow })
    .from(consoleRole)
    .innerJoin(account, eq(account.row, consoleRole.accountRow))
    .leftJoin(shownPersonal, eq(shownPersonal.accountRow, consoleRole.accountRow))
    .where(eq(consoleRole.userId, userId))
    .all()
  return new Map(rows.map(({ accountId, role, shown }) => [accountId, { role, seesPersonalFields: shown !== null }]))
}

interface NewRole {
  userId: string
  accountId: string
  role: AccountRole
}

/** Within a transaction, as what follows. */
export function writeRole(connection: Database, { userId, accountId, role }: NewRole): void {
  const accountRow = accountRowOf(connection, accountId)
  if (accountRow === null) return
  connection.db
    .insert(consoleRole)
    .values({ userId, accountRow, role })
    .onConflictDoUpdate({ target: [consoleRole.userId, consoleRole.accountRow], set: { role } })
    .run()
}

/** Gives whoever has a role another one. */
export function changeRole(
  connection: Database,
  { userId, accountId, role }: NewRole,
  place: PlaceInAccount,
): AccountRole | 'last_admin' | 'unknown' {
  const before = roleBefore(connection, userId, place)
  if (before === null) return 'unknown'
  if (role !== 'admin' && !endAdmin(connection, before, place)) return 'last_admin'
  writeRole(connection, { userId, accountId, role })
  return before.role
}

/** Takes the role away, and removes whoever has no other. */
export function leaveAccount(
  connection: Database,
  userId: string,
  place: PlaceInAccount,
): Left | 'last_admin' | 'unknown' {
  const before = roleBefore(connection, userId, place)
  if (before === null) return 'unknown'
  if (!endAdmin(connection, before, place)) return 'last_admin'
  const { db } = connection
  const { role, email, accountRow } = before
  const isTheirs = eq(consoleRole.userId, userId)
  db.delete(consoleRole)
    .where(and(isTheirs, eq(consoleRole.accountRow, accountRow)))
    .run()
  withdrawInvitations(connection, eq(invitation.email, email), place.accountId)
  if (db.select({ role: consoleRole.role }).from(consoleRole).where(isTheirs).get() !== undefined)
    return { role, ended: null }
  const ended = endOfUser(connection, userId, place.at)
  db.delete(consoleUser).where(eq(consoleUser.id, userId)).run()
  return { role, ended }
}

interface RoleBefore {
  userId: string
  email: string
  role: AccountRole
  accountRow: number
}

/** `null`: the user has no role in the account, or owns the box. */
function roleBefore(connection: Database, userId: string, { accountId }: PlaceInAccount): RoleBefore | null {
  const accountRow = accountRowOf(connection, accountId)
  if (accountRow === null) return null
  const isWanted = and(
    eq(consoleRole.accountRow, accountRow),
    eq(consoleRole.userId, userId),
    eq(consoleUser.isOwner, false),
  )
  const found = connection.db
    .select({ email: consoleUser.email, role: consoleRole.role })
    .from(consoleRole)
    .innerJoin(consoleUser, eq(consoleUser.id, consoleRole.userId))
    .where(isWanted)
    .get()
  return found === undefined ? null : { ...found, userId, accountRow }
}

/** Withdraws what only an admin may have made. @returns `false`: this is the last admin, and nothing was done */
function endAdmin(
  connection: Database,
  { userId, role, accountRow }: RoleBefore,
  { accountId, keepsAdmin }: PlaceInAccount,
): boolean {
  if (role !== 'admin') return true
  const isOther = and(
    eq(consoleRole.accountRow, accountRow),
    eq(consoleRole.role, 'admin'),
    ne(consoleRole.userId, userId),
  )
  const other = connection.db.select({ userId: consoleRole.userId }).from(consoleRole).where(isOther).get()
  if (keepsAdmin && other === undefined) return false
  withdrawInvitations(connection, eq(invitation.makerUserId, userId), accountId)
  return true
}

/** Ends unused invitations. @param accountId to this account; absent: to anything @returns how many there were */
export function withdrawInvitations({ db }: Database, of: SQL, accountId?: string): number {
  const unused = db
    .select()
    .from(invitation)
    .where(and(of, isNull(invitation.usedAt)))
    .all()
  const ended = unused.filter(
    ({ invited }) => accountId === undefined || (!invited.isOwner && invited.accountId === accountId),
  )
  for (const { hash } of ended) db.delete(invitation).where(eq(invitation.hash, hash)).run()
  return ended.length
}

import { and, eq, isNull, ne, type SQL } from 'drizzle-orm'
import type { AccountRole, UserRole } from '../../../console/access/caller.ts'
import type { Left, PlaceInAccount, RoleKept } from '../../../console/user/user.ts'
import type { Connection } from '../database/connection.ts'
import { accountRowOf } from '../lookup/account-row.ts'
import { account } from '../schema/account-schema.ts'
import { consoleRole, consoleUser, invitation, shownPersonal } from '../schema/console-schema.ts'
import { endOfUser, mayStillGive } from './token-store.ts'

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

/**
 * Gives the role of an accepted invitation. Call it within a transaction, as what follows, and once the invitation is used: those that
 * are not may be withdrawn.
 */
export function acceptRole(connection: Database, accepted: NewRole): void {
  const before = roleBefore(connection, accepted)
  if (before === null) writeRole(connection, accepted)
  else replaceRole(connection, before, accepted)
}

/** Whether the role would leave the account without an admin. */
export function endsLastAdmin(connection: Database, wanted: NewRole): boolean {
  const before = roleBefore(connection, wanted)
  return before !== null && wanted.role !== 'admin' && isLastAdmin(connection, before)
}

function writeRole(connection: Database, { userId, accountId, role }: NewRole): void {
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
): AccountRole | RoleKept {
  if (!mayStillGive(connection, place.by, place)) return 'maker_gone'
  const wanted = { userId, accountId, role }
  const before = roleBefore(connection, wanted)
  if (before === null) return 'unknown'
  if (place.keepsAdmin && endsLastAdmin(connection, wanted)) return 'last_admin'
  replaceRole(connection, before, wanted)
  return before.role
}

/** Withdraws the open invitations that would change the role again, and those that only an admin may have made. */
function replaceRole(connection: Database, before: RoleBefore, wanted: NewRole): void {
  withdrawInvitations(connection, eq(invitation.email, before.email), wanted.accountId)
  if (wanted.role !== 'admin') withdrawMade(connection, before, wanted)
  writeRole(connection, wanted)
}

const withdrawMade = (connection: Database, { userId }: RoleBefore, { accountId }: { accountId: string }): number =>
  withdrawInvitations(connection, eq(invitation.makerUserId, userId), accountId)

/** Takes the role away, and removes whoever has no other. */
export function leaveAccount(connection: Database, userId: string, place: PlaceInAccount): Left | RoleKept {
  if (!mayStillGive(connection, place.by, place)) return 'maker_gone'
  const before = roleBefore(connection, { userId, accountId: place.accountId })
  if (before === null) return 'unknown'
  if (place.keepsAdmin && isLastAdmin(connection, before)) return 'last_admin'
  withdrawMade(connection, before, place)
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
function roleBefore(
  connection: Database,
  { userId, accountId }: Pick<NewRole, 'userId' | 'accountId'>,
): RoleBefore | null {
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

function isLastAdmin({ db }: Database, { userId, role, accountRow }: RoleBefore): boolean {
  if (role !== 'admin') return false
  const isOther = and(
    eq(consoleRole.accountRow, accountRow),
    eq(consoleRole.role, 'admin'),
    ne(consoleRole.userId, userId),
  )
  return db.select({ userId: consoleRole.userId }).from(consoleRole).where(isOther).get() === undefined
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

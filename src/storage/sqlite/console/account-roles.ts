import { and, eq } from 'drizzle-orm'
import type { UserRole } from '../../../console/access/caller.ts'
import type { Invited } from '../../../console/user/user.ts'
import type { Connection } from '../database/connection.ts'
import { accountRowOf } from '../lookup/account-row.ts'
import { consoleRole } from '../schema/console-schema.ts'

/** Invitations go with their account; one that was being made meanwhile is worth nothing. */
export const isOpenTo = (connection: Pick<Connection, 'raw'>, invited: Invited): boolean =>
  invited.isOwner || accountRowOf(connection, invited.accountId) !== null

/** `null` takes the role away. */
export function writeRole(
  connection: Pick<Connection, 'db' | 'raw'>,
  { userId, accountId }: { userId: string; accountId: string },
  role: UserRole | null,
): void {
  const { db } = connection
  const accountRow = accountRowOf(connection, accountId)
  if (accountRow === null) return
  if (role === null) {
    db.delete(consoleRole)
      .where(and(eq(consoleRole.userId, userId), eq(consoleRole.accountRow, accountRow)))
      .run()
    return
  }
  const change = { role: role.role, seesPersonalFields: role.seesPersonalFields }
  db.insert(consoleRole)
    .values({ userId, accountRow, ...change })
    .onConflictDoUpdate({ target: [consoleRole.userId, consoleRole.accountRow], set: change })
    .run()
}

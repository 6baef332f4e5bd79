import { and, asc, eq, isNull } from 'drizzle-orm'
import { isReachedByMail } from '../../../account/destination.ts'
import type { Connection } from '../database/connection.ts'
import { account } from '../schema/account-schema.ts'
import { destination } from '../schema/delivery-schema.ts'

/** Handles of accounts with a mail destination. */
export function mailingAccounts({ db }: Pick<Connection, 'db'>): string[] {
  const rows = db
    .select({ handle: account.handle, definition: destination.definition })
    .from(destination)
    .innerJoin(account, eq(account.row, destination.accountRow))
    .where(and(isNull(destination.removedAt), isNull(account.removedAt)))
    .orderBy(asc(account.handle))
    .all()
  const mailing = rows.filter(({ definition }) => isReachedByMail(definition))
  return [...new Set(mailing.map(({ handle }) => handle))]
}

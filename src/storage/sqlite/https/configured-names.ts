import { asc, eq } from 'drizzle-orm'
import type { ConfiguredName } from '../../../https/keeper/reconcile.ts'
import { account, domain } from '../account/account-schema.ts'
import type { Connection } from '../database/connection.ts'

/** Every connected domain of the box with the id of its account, in order of host. */
export const configuredNames = ({ db }: Connection): ConfiguredName[] =>
  db
    .select({ host: domain.host, accountId: account.id })
    .from(domain)
    .innerJoin(account, eq(account.row, domain.accountRow))
    .orderBy(asc(domain.host))
    .all()

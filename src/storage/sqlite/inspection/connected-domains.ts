import { asc, eq } from 'drizzle-orm'
import { account, domain } from '../account/account-schema.ts'
import type { Connection } from '../database/connection.ts'

/** Every connected domain of the box with the handle of its account, in order of host. */
export const connectedDomains = ({ db }: Connection): { host: string; handle: string }[] =>
  db
    .select({ host: domain.host, handle: account.handle })
    .from(domain)
    .innerJoin(account, eq(account.row, domain.accountRow))
    .orderBy(asc(domain.host))
    .all()

import { asc, eq } from 'drizzle-orm'
import type { Connection } from '../database/connection.ts'
import { account, domain } from './account-schema.ts'

/** Every connected domain of the box with its account, in order of host. */
export const connectedDomains = ({ db }: Connection): { host: string; accountId: string; handle: string }[] =>
  db
    .select({ host: domain.host, accountId: account.id, handle: account.handle })
    .from(domain)
    .innerJoin(account, eq(account.row, domain.accountRow))
    .orderBy(asc(domain.host))
    .all()

/** The handle of the account that has the domain; `null`: nobody has. */
export function domainHolder({ db }: Connection, host: string): string | null {
  const holder = db
    .select({ handle: account.handle })
    .from(domain)
    .innerJoin(account, eq(account.row, domain.accountRow))
    .where(eq(domain.host, host))
    .get()
  return holder?.handle ?? null
}

import { asc, eq } from 'drizzle-orm'
import type { Connection } from '../database/connection.ts'
import { account, domain } from '../schema/account-schema.ts'

/** Every connected domain of the box with its account, in order of host. */
export const connectedDomains = ({ db }: Connection): { host: string; accountId: string; handle: string }[] =>
  db
    .select({ host: domain.host, accountId: account.id, handle: account.handle })
    .from(domain)
    .innerJoin(account, eq(account.row, domain.accountRow))
    .orderBy(asc(domain.host))
    .all()

/** The handle of the account with the domain; `null`: none. */
export function domainHolder({ db }: Connection, host: string): string | null {
  const holder = db
    .select({ handle: account.handle })
    .from(domain)
    .innerJoin(account, eq(account.row, domain.accountRow))
    .where(eq(domain.host, host))
    .get()
  return holder?.handle ?? null
}

/** The names that the account has connected. */
export const connectedHosts = ({ db }: Pick<Connection, 'db'>, accountRow: number): string[] =>
  db
    .select({ host: domain.host })
    .from(domain)
    .where(eq(domain.accountRow, accountRow))
    .all()
    .map(({ host }) => host)

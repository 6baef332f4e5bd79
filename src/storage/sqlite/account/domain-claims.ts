import { and, asc, count, desc, eq, gt, inArray, lte } from 'drizzle-orm'
import {
  type DomainClaims,
  domainReservedMs,
  type ReservedDomain,
  reservedPerAccountMax,
} from '../../../account/domain-claims.ts'
import type { Clock } from '../../../lib/clock.ts'
import type { Connection } from '../database/connection.ts'
import { knownAccountRow } from '../lookup/account-row.ts'
import { account, domain, domainSuffix, reservedDomain } from '../schema/account-schema.ts'

export class SqliteDomainClaims implements DomainClaims {
  constructor(
    private readonly connection: Connection,
    private readonly clock: Pick<Clock, 'now'>,
  ) {}

  async reserved(host: string): Promise<ReservedDomain | null> {
    return this.select(eq(reservedDomain.host, host)).get() ?? null
  }

  async listReserved(): Promise<ReservedDomain[]> {
    return this.select().orderBy(asc(reservedDomain.host)).all()
  }

  async release(host: string): Promise<ReservedDomain | null> {
    const found = await this.reserved(host)
    if (found !== null) endReservations(this.connection, [host])
    return found
  }

  async suffixes(accountId: string): Promise<string[]> {
    return this.connection.db
      .select({ suffix: domainSuffix.suffix })
      .from(domainSuffix)
      .where(eq(domainSuffix.accountRow, knownAccountRow(this.connection, accountId)))
      .orderBy(asc(domainSuffix.suffix))
      .all()
      .map(({ suffix }) => suffix)
  }

  async addSuffix(accountId: string, suffix: string): Promise<void> {
    this.connection.db
      .insert(domainSuffix)
      .values({ accountRow: knownAccountRow(this.connection, accountId), suffix })
      .onConflictDoNothing()
      .run()
  }

  async removeSuffix(accountId: string, suffix: string): Promise<boolean> {
    const accountRow = knownAccountRow(this.connection, accountId)
    const removed = this.connection.db
      .delete(domainSuffix)
      .where(and(eq(domainSuffix.accountRow, accountRow), eq(domainSuffix.suffix, suffix)))
      .returning()
      .all()
    return removed.length > 0
  }

  private select(where?: ReturnType<typeof eq>) {
    const { host, handle, droppedAt } = reservedDomain
    return this.connection.db
      .select({ host, accountId: account.id, handle, droppedAt })
      .from(reservedDomain)
      .innerJoin(account, eq(account.row, reservedDomain.accountRow))
      .where(and(where, gt(droppedAt, this.clock.now() - domainReservedMs)))
      .$dynamic()
  }
}

/** Reserves the names that the account lets go. Call in the transaction that takes them from it. */
export function reserveDomains(
  { db }: Pick<Connection, 'db'>,
  { accountRow, hosts, now }: { accountRow: number; hosts: readonly string[]; now: number },
): void {
  if (hosts.length === 0) return
  const former = db.select({ handle: account.handle }).from(account).where(eq(account.row, accountRow)).get()
  if (former === undefined) throw new Error(`no account in row ${accountRow}`)
  db.delete(reservedDomain)
    .where(lte(reservedDomain.droppedAt, now - domainReservedMs))
    .run()
  for (const host of hosts) {
    const reservation = { accountRow, handle: former.handle, droppedAt: now }
    db.insert(reservedDomain)
      .values({ host, ...reservation })
      .onConflictDoUpdate({ target: reservedDomain.host, set: reservation })
      .run()
  }
  freeOldest({ db }, accountRow)
}

export function endReservations({ db }: Pick<Connection, 'db'>, hosts: readonly string[]): void {
  for (const host of hosts) db.delete(reservedDomain).where(eq(reservedDomain.host, host)).run()
}

function freeOldest({ db }: Pick<Connection, 'db'>, accountRow: number): void {
  const ofAccount = eq(reservedDomain.accountRow, accountRow)
  const kept = db.select({ n: count() }).from(reservedDomain).where(ofAccount).get()?.n ?? 0
  if (kept <= reservedPerAccountMax) return
  const oldest = db
    .select({ host: reservedDomain.host })
    .from(reservedDomain)
    .where(ofAccount)
    .orderBy(asc(reservedDomain.droppedAt), desc(reservedDomain.host))
    .limit(kept - reservedPerAccountMax)
  db.delete(reservedDomain).where(inArray(reservedDomain.host, oldest)).run()
}

export const connectedDomains = ({ db }: Connection): { host: string; accountId: string; handle: string }[] =>
  db
    .select({ host: domain.host, accountId: account.id, handle: account.handle })
    .from(domain)
    .innerJoin(account, eq(account.row, domain.accountRow))
    .orderBy(asc(domain.host))
    .all()

export function domainHolder({ db }: Connection, host: string): string | null {
  const holder = db
    .select({ handle: account.handle })
    .from(domain)
    .innerJoin(account, eq(account.row, domain.accountRow))
    .where(eq(domain.host, host))
    .get()
  return holder?.handle ?? null
}

export const connectedHosts = ({ db }: Pick<Connection, 'db'>, accountRow: number): string[] =>
  db
    .select({ host: domain.host })
    .from(domain)
    .where(eq(domain.accountRow, accountRow))
    .all()
    .map(({ host }) => host)

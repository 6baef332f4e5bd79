import { and, desc, eq, getTableColumns, gt, isNotNull, isNull, lte, or } from 'drizzle-orm'
import type { ReportShare, ReportShares } from '../../../console/share/report-share.ts'
import type { Connection } from '../database/connection.ts'
import { account } from '../schema/account-schema.ts'
import { reportShare } from '../schema/console-schema.ts'

const { accountRow: _, ...columns } = getTableColumns(reportShare)

export class SqliteReportShares implements ReportShares {
  constructor(private readonly connection: Pick<Connection, 'db'>) {}

  async add({ accountId, ...share }: ReportShare): Promise<void> {
    const { db } = this.connection
    const found = db
      .select({ accountRow: account.row })
      .from(account)
      .where(and(eq(account.id, accountId), isNull(account.removedAt)))
      .get()
    if (found !== undefined)
      db.insert(reportShare)
        .values({ ...share, ...found })
        .run()
  }

  async find(id: string): Promise<ReportShare | null> {
    return (
      this.ofAccounts()
        .where(and(eq(reportShare.id, id), isNull(account.removedAt)))
        .get() ?? null
    )
  }

  async working(accountId: string, now: number): Promise<ReportShare[]> {
    const isWorking = and(isNull(account.removedAt), isNull(reportShare.revokedAt), gt(reportShare.expiresAt, now))
    return this.ofAccounts()
      .where(and(eq(account.id, accountId), isWorking))
      .orderBy(desc(reportShare.createdAt), desc(reportShare.id))
      .all()
  }

  async revoke(accountId: string, id: string, now: number): Promise<boolean> {
    const found = (await this.working(accountId, now)).some((share) => share.id === id)
    if (found) this.connection.db.update(reportShare).set({ revokedAt: now }).where(eq(reportShare.id, id)).run()
    return found
  }

  async eraseOver(now: number): Promise<void> {
    const isOver = or(lte(reportShare.expiresAt, now), isNotNull(reportShare.revokedAt))
    this.connection.db.delete(reportShare).where(isOver).run()
  }

  private ofAccounts() {
    return this.connection.db
      .select({ ...columns, accountId: account.id })
      .from(reportShare)
      .innerJoin(account, eq(account.row, reportShare.accountRow))
  }
}

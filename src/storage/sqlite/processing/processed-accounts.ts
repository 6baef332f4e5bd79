import { and, asc, eq, isNull } from 'drizzle-orm'
import { compileOriginAllowlist } from '../../../account/origin-allowlist.ts'
import type { DestinationKey } from '../../../delivery/outbox.ts'
import { countedGoals } from '../../../processing/goals/counted-goals.ts'
import type { ProcessedAccount, ProcessedDestination } from '../../../processing/ledger-item.ts'
import { readRevision } from '../account/revision.ts'
import type { Connection } from '../database/connection.ts'
import { account } from '../schema/account-schema.ts'
import { destination } from '../schema/delivery-schema.ts'

/** The row of an account found earlier. */
export type RowOfAccount = (accountId: string) => number

/** Accounts by row, read once until the box's revision changes. */
export class ProcessedAccounts {
  private revision = -1
  private readonly known = new Map<number, ProcessedAccount | null>()
  private readonly rows = new Map<string, number>()

  constructor(private readonly connection: Connection) {}

  /** Call at the beginning of a step. */
  refresh(): void {
    const revision = readRevision(this.connection)
    if (revision === this.revision) return
    this.known.clear()
    this.rows.clear()
    this.revision = revision
  }

  /** `null`: removed. */
  find(row: number): ProcessedAccount | null {
    const known = this.known.get(row)
    if (known !== undefined) return known
    const found = this.read(row)
    this.known.set(row, found)
    if (found !== null) this.rows.set(found.id, row)
    return found
  }

  /** @throws RangeError for an account not found since the last refresh */
  readonly rowOf: RowOfAccount = (accountId) => {
    const row = this.rows.get(accountId)
    if (row === undefined) throw new RangeError('no account of this step')
    return row
  }

  private read(row: number): ProcessedAccount | null {
    const found = this.connection.db
      .select({ id: account.id, settings: account.settings, removedAt: account.removedAt })
      .from(account)
      .where(eq(account.row, row))
      .get()
    if (!found || found.removedAt !== null) return null
    const { timezone, domains, origins, goals, funnels } = found.settings
    return {
      id: found.id,
      timezone,
      domains,
      origins: compileOriginAllowlist(origins),
      destinations: this.destinations(row),
      goals: countedGoals({ goals, funnels }),
    }
  }

  private destinations(accountRow: number): ProcessedDestination[] {
    return this.connection.db
      .select({ row: destination.row, definition: destination.definition, createdAt: destination.createdAt })
      .from(destination)
      .where(and(eq(destination.accountRow, accountRow), isNull(destination.removedAt)))
      .orderBy(asc(destination.row))
      .all()
      .map(({ row, definition, createdAt }) => ({ key: row as DestinationKey, destination: definition, createdAt }))
  }
}

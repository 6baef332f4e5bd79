import { eq } from 'drizzle-orm'
import { compileOriginAllowlist } from '../../../account/origin-allowlist.ts'
import type { ProcessedAccount } from '../../../processing/processed-account.ts'
import type { Connection } from '../connection.ts'
import { readRevision } from '../revision.ts'
import { account } from '../schema.ts'

/** Accounts by their row, read once until something on the box changes. */
export class ProcessedAccounts {
  private revision = -1
  private readonly known = new Map<number, ProcessedAccount | null>()

  constructor(private readonly connection: Connection) {}

  /** Call at the beginning of a step. */
  refresh(): void {
    const revision = readRevision(this.connection)
    if (revision !== this.revision) this.known.clear()
    this.revision = revision
  }

  /** `null`: it was removed. */
  find(row: number): ProcessedAccount | null {
    const known = this.known.get(row)
    if (known !== undefined) return known
    const found = this.read(row)
    this.known.set(row, found)
    return found
  }

  private read(row: number): ProcessedAccount | null {
    const found = this.connection.db
      .select({ id: account.id, settings: account.settings, removedAt: account.removedAt })
      .from(account)
      .where(eq(account.row, row))
      .get()
    if (!found || found.removedAt !== null) return null
    const { timezone, domains, origins } = found.settings
    return { id: found.id, timezone, domains, origins: compileOriginAllowlist(origins) }
  }
}

import { type RetentionSettings, retentionByDefault } from '../../../account/account.ts'
import type { Connection } from '../database/connection.ts'
import { byRow } from '../lookup/ledger-tree.ts'
import { unlessDamaged } from '../salvage/damage.ts'

/** The retention terms in an account's settings, as stored. */
export function retentionIn(settings: string): RetentionSettings {
  const { retention } = JSON.parse(settings) as { retention?: Partial<RetentionSettings> }
  return { ...retentionByDefault, ...retention }
}

/** What retention asks about accounts and their processing. */
export class RetentionAccounts {
  constructor(private readonly connection: Connection) {}

  rows(): number[] {
    return this.connection.raw
      .query<{ row: number }, []>('SELECT row FROM account WHERE removed_at IS NULL')
      .all()
      .map(({ row }) => row)
  }

  /** `null`: removed since. */
  termsOf(accountRow: number): RetentionSettings | null {
    const found = this.connection.raw
      .query<{ settings: string }, [number]>('SELECT settings FROM account WHERE row = ? AND removed_at IS NULL')
      .get(accountRow)
    return found && retentionIn(found.settings)
  }

  /** Later rows are at the end of the table; SQLite would go through all of them by account. */
  thatRefused(after: number): number[] {
    return this.connection.raw
      .query<{ row: number }, [number]>(
        `SELECT DISTINCT account_row AS row FROM ${byRow('submission_fact')} WHERE sequence > ? AND status = 'refused'`,
      )
      .all(after)
      .map(({ row }) => row)
  }

  /** Receipt of the first waiting record, epoch milliseconds; `null`: none waits. */
  oldestWaitingAt(): number | null {
    const waiting = this.connection.raw.query<{ receivedAt: number }, []>(
      `SELECT received_at AS receivedAt FROM ledger WHERE sequence > (SELECT cursor FROM processing)
       ORDER BY sequence LIMIT 1`,
    )
    return unlessDamaged(
      () => waiting.get()?.receivedAt ?? null,
      () => null,
    )
  }
}

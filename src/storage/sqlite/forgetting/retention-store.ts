import { type RetentionSettings, retentionByDefault } from '../../../account/account.ts'
import type {
  Expired,
  ExpiredQuery,
  RetainedAccount,
  RetentionStore,
} from '../../../processing/forgetting/retention-store.ts'
import type { Connection } from '../database/connection.ts'
import { unlessDamaged } from '../database/damage.ts'
import { byRow } from '../lookup/ledger-tree.ts'
import { processedTo } from '../processing/processed-to.ts'
import { forgetCountedReplies } from './counted-replies.ts'
import { expiredRecords, keptPages, refusedBeyond } from './expired-records.ts'
import { ExpiredRemoval } from './expired-removal.ts'
import { RetentionStates } from './retention-states.ts'

/** The retention terms in an account's settings, as stored. */
export function retentionIn(settings: string): RetentionSettings {
  const { retention } = JSON.parse(settings) as { retention?: Partial<RetentionSettings> }
  return { ...retentionByDefault, ...retention }
}

interface AccountRow {
  row: RetainedAccount
}

export class SqliteRetentionStore extends RetentionStates implements RetentionStore {
  private readonly removal: ExpiredRemoval

  constructor(connection: Connection) {
    super(connection)
    this.removal = new ExpiredRemoval(connection)
  }

  accounts(): RetainedAccount[] {
    const rows = this.connection.raw.query<AccountRow, []>('SELECT row FROM account WHERE removed_at IS NULL').all()
    return rows.map(({ row }) => row)
  }

  account(key: RetainedAccount): { handle: string; terms: RetentionSettings } | null {
    const found = this.connection.raw
      .query<{ handle: string; settings: string }, [number]>(
        'SELECT handle, settings FROM account WHERE row = ? AND removed_at IS NULL',
      )
      .get(key)
    return found && { handle: found.handle, terms: retentionIn(found.settings) }
  }

  /** Later rows are at the end of the table; SQLite would go through all of them by account. */
  accountsRefusing(behind: number): RetainedAccount[] {
    return this.connection.raw
      .query<AccountRow, [number]>(
        `SELECT DISTINCT account_row AS row FROM ${byRow('submission_fact')} WHERE sequence > ? AND status = 'refused'`,
      )
      .all(behind)
      .map(({ row }) => row)
  }

  processedTo(): number {
    return processedTo(this.connection)
  }

  oldestWaitingAt(): number | null {
    const waiting = this.connection.raw.query<{ receivedAt: number }, []>(
      `SELECT received_at AS receivedAt FROM ledger WHERE sequence > (SELECT cursor FROM processing)
       ORDER BY sequence LIMIT 1`,
    )
    return this.readable(() => waiting.get()?.receivedAt ?? null)
  }

  expired(query: ExpiredQuery): Generator<Expired[]> {
    return expiredRecords(this.connection, query)
  }

  refusedBeyond(account: RetainedAccount, keptMax: number): Generator<Expired[]> {
    return refusedBeyond(this.connection, account, keptMax)
  }

  kept(query: Parameters<RetentionStore['kept']>[0]): Generator<number> {
    return keptPages(this.connection, query)
  }

  forgetReplies(at: number): void {
    this.readable(() => forgetCountedReplies(this.connection, at))
  }

  remove(expired: readonly Expired[], isOver: () => boolean): number {
    const sequences = expired.map(({ sequence }) => sequence)
    return this.exclusively(() => this.removal.remove(sequences, isOver))
  }

  readable<Result>(read: () => Result): Result | null {
    return unlessDamaged(read, () => null)
  }
}

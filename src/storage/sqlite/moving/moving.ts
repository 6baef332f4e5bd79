import { join } from 'node:path'
import type { ErasureEntry } from '../../../ledger/decision.ts'
import type { Clock } from '../../../lib/clock.ts'
import { OperatorError } from '../../../lib/operator-error.ts'
import { CopyFault, type DatabaseCopies } from '../../../operations/backup/backup-ports.ts'
import type { AccountFile } from '../../../operations/move/move-ports.ts'
import { openCopy } from '../backup/database-copies.ts'
import { type Connection, openConnection } from '../database/connection.ts'
import { erasuresOf } from '../forgetting/erasure-entries.ts'
import { isDamage } from '../salvage/damage.ts'
import { AccountArrival, type StagedAccount } from './account-arrival.ts'
import { extractAccount } from './account-extract.ts'
import { type ArrivingAccount, arrivingAccount } from './arriving-account.ts'
import { addLaterRecords } from './later-records.ts'

/**
 * Copies one account of the database.
 * @param database its file, which may be in use
 */
export const accountCopies = (
  database: string,
  { accountId, since, clock }: { accountId: string; since: number | null; clock: Clock },
): DatabaseCopies => ({
  copyTo(file) {
    try {
      extractAccount(file, { database, accountId, since, now: clock.now() })
    } catch (error) {
      if (error instanceof OperatorError) throw error
      throw new CopyFault((error as Error).message, isDamage(error))
    }
    return openCopy(file)
  },
})

/**
 * @param folder contains the accepted file, `capture.db`
 * @throws OperatorError if it has no account, or several
 */
export function openArrival(database: string, folder: string, clock: Clock): AccountFile {
  const connection = openConnection(database)
  try {
    connection.raw.run('ATTACH ? AS arriving', [join(folder, 'capture.db')])
    const arriving = arrivingAccount(connection)
    if (arriving === null) throw new OperatorError('The file does not hold exactly one account. Nothing was changed.')
    return new SqliteAccountFile(connection, clock, arriving)
  } catch (error) {
    connection.raw.close()
    throw error
  }
}

class SqliteAccountFile implements AccountFile {
  readonly isHere: boolean
  private readonly whole: AccountArrival
  private readonly known: { row: number; removedAt: number | null } | null
  private staged: StagedAccount | null = null

  constructor(
    private readonly connection: Connection,
    clock: Clock,
    readonly account: ArrivingAccount,
  ) {
    this.whole = new AccountArrival(connection, clock, account)
    this.known = connection.raw
      .query<{ row: number; removedAt: number | null }, [string]>(
        'SELECT row, removed_at AS removedAt FROM main.account WHERE id = ?',
      )
      .get(account.id)
    this.isHere = this.known !== null && this.known.removedAt === null
  }

  erasuresHere(): ErasureEntry[] {
    return this.known === null ? [] : erasuresOf(this.connection.raw, { row: this.known.row, id: this.account.id })
  }

  async stage(): Promise<{ records: number }> {
    this.staged = await this.whole.stage()
    return { records: this.staged.records }
  }

  show(): boolean {
    if (this.staged === null) throw new Error('nothing was staged')
    if (!this.whole.isPassed(this.staged)) return false
    this.whole.show(this.staged)
    return true
  }

  discard(): Promise<void> {
    return this.whole.discard()
  }

  addLater(): Promise<{ records: number; erasures: ErasureEntry[] }> {
    if (this.known === null) throw new Error('the account is not here')
    return addLaterRecords(this.connection, { accountRow: this.known.row, arriving: this.account })
  }

  close(): void {
    this.connection.raw.close()
  }
}

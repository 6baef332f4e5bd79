import type { Clock } from '../../../lib/clock.ts'
import { OperatorError } from '../../../lib/operator-error.ts'
import { finishAccountRemovals, neverShown } from '../account/account-removal.ts'
import { domainHolder } from '../account/connected-domains.ts'
import { touchAccount } from '../account/revision.ts'
import type { Connection } from '../database/connection.ts'
import { writeTransaction } from '../database/write-transaction.ts'
import { decisionKinds } from '../ledger/decision-codec.ts'
import { processedTo } from '../processing/processed-to.ts'
import { reserveNumbers } from './arrival-numbers.ts'
import type { ArrivingAccount } from './arriving-account.ts'
import { copyLedger } from './copied-ledger.ts'
import { copyRows } from './copied-rows.ts'
import { takeKeys } from './moved-keys.ts'

/** An account that is completely stored but not visible yet. */
export interface StagedAccount {
  accountRow: number
  records: number
  /** Its last entry in this box's ledger. */
  lastSequence: number
}

/**
 * Takes in another box's account from the database attached as `arriving`. Until the last transaction it counts as
 * removed: it is invisible, processing skips its entries, and whoever finishes interrupted removals deletes what a kill
 * left behind.
 */
export class AccountArrival {
  constructor(
    private readonly connection: Connection,
    private readonly clock: Clock,
    private readonly arriving: ArrivingAccount,
  ) {}

  /** @throws OperatorError if another account has its handle or one of its domains */
  async stage(): Promise<StagedAccount> {
    const { connection } = this
    await finishAccountRemovals(connection)
    this.refuseTaken()
    const accountRow = this.hiddenRow()
    // What an earlier stay has left tells of erasures.
    const isNew = `(kind <> ${decisionKinds.erasure} OR NOT EXISTS (SELECT 1 FROM main.ledger known
      WHERE known.account_row = ${accountRow} AND known.kind = ${decisionKinds.erasure} AND known.id = entry.id))`
    const { entries, last } = await copyLedger(connection, { accountRow, where: isNew, areDelivered: false })
    await copyRows(connection, reserveNumbers(connection, accountRow))
    return { accountRow, records: entries, lastSequence: last }
  }

  /** Whether processing has skipped everything staged: from then on nothing of it is processed again. */
  isPassed({ lastSequence }: StagedAccount): boolean {
    return processedTo(this.connection) >= lastSequence
  }

  /** The short transaction that makes everything visible. @throws OperatorError like `stage` */
  show(staged: StagedAccount): void {
    const { connection, arriving } = this
    const { accountRow } = staged
    writeTransaction(connection, () => {
      if (!this.isPassed(staged)) throw new Error('entries of the account are not passed over yet')
      this.refuseTaken()
      takeKeys(connection, accountRow)
      const { raw } = connection
      raw.query('INSERT INTO main.domain (host, account_row) SELECT host, ? FROM arriving.domain').run(accountRow)
      for (const table of ['certificate', 'https_name']) {
        raw.run(`INSERT OR IGNORE INTO main.${table} SELECT * FROM arriving.${table}`)
      }
      raw
        .query(
          `UPDATE main.account SET handle = ?2, removed_at = NULL,
               site_revision = (SELECT site_revision FROM arriving.account WHERE row = ?3),
               created_at = (SELECT created_at FROM arriving.account WHERE row = ?3) WHERE row = ?1`,
        )
        .run(accountRow, arriving.handle, arriving.row)
      touchAccount(connection, accountRow)
    })
  }

  /** Deletes what was staged. */
  async discard(): Promise<void> {
    await finishAccountRemovals(this.connection)
  }

  private refuseTaken(): void {
    const { connection, arriving } = this
    const { raw } = connection
    const { handle } = arriving
    if (raw.query('SELECT 1 FROM main.account WHERE handle = ?').get(handle) !== null) {
      throw new OperatorError(
        `This box has another account "${handle}". Give it another handle on one of the two boxes: remove it, and apply its site folder under another name.`,
      )
    }
    const hosts = raw.query<{ host: string }, []>('SELECT host FROM arriving.domain').all()
    for (const { host } of hosts) {
      const holder = domainHolder(connection, host)
      if (holder === null) continue
      throw new OperatorError(
        `The domain ${host} belongs to the account "${holder}" on this box. Take it out of that account's site.toml, apply, and try again.`,
      )
    }
  }

  /**
   * Reuses the row that an earlier removal of the same account has emptied: the entries about its erasures refer to it.
   */
  private hiddenRow(): number {
    const { raw } = this.connection
    const { id, row } = this.arriving
    const hidden = raw
      .query<{ row: number }, [number, string, number]>(
        `INSERT INTO main.account (id, handle, settings, site_revision, changed_at_revision, created_at, removed_at)
         SELECT id, id, settings, 0, ${neverShown}, created_at, ?3 FROM arriving.account WHERE row = ?1 AND id = ?2
         ON CONFLICT (id) DO UPDATE SET settings = excluded.settings, changed_at_revision = excluded.changed_at_revision,
           removed_at = excluded.removed_at RETURNING row`,
      )
      .get(row, id, this.clock.now())
    if (hidden === null) throw new Error('the account could not be added')
    return hidden.row
  }
}

import { join } from 'node:path'
import type { ErasureEntry } from '../../../ledger/decision.ts'
import type { Clock } from '../../../lib/clock.ts'
import { OperatorError } from '../../../lib/operator-error.ts'
import type { AccountFile } from '../../../operations/backup/backup-ports.ts'
import { finishAccountRemovals, neverShown } from '../account/account-removal.ts'
import { connectedHosts, domainHolder, endReservations } from '../account/domain-claims.ts'
import { touchAccount } from '../account/revision.ts'
import { type Connection, openConnection } from '../database/connection.ts'
import { writeTransaction } from '../database/write-transaction.ts'
import { erasuresOf } from '../forgetting/erasure-log.ts'
import { decisionKinds } from '../ledger/ledger-codec.ts'
import { noteUnlinkable } from '../lookup/following.ts'
import { processedTo } from '../processing/processed-to.ts'
import { sealOf } from '../seal/box-seal.ts'
import { sealForBox } from '../seal/sealed-columns.ts'
import {
  type ArrivingAccount,
  addLaterRecords,
  arrivingAccount,
  copyLedger,
  copyRows,
  reserveNumbers,
  takeKeys,
} from './arriving-rows.ts'

/**
 * @param folder contains the accepted file, `capture.db`
 * @throws OperatorError if it has no account, or several
 */
export function openArrival(database: string, folder: string, clock: Clock): AccountFile {
  const connection = openConnection(database)
  try {
    sealArriving(join(folder, 'capture.db'), connection)
    connection.raw.run('ATTACH ? AS arriving', [join(folder, 'capture.db')])
    const arriving = arrivingAccount(connection)
    if (arriving === null) throw new OperatorError('The file does not hold exactly one account. Nothing was changed.')
    return new AccountArrival(connection, clock, arriving)
  } catch (error) {
    connection.raw.close()
    throw error
  }
}

/** Seals the other box's secrets with the key of this one. */
function sealArriving(file: string, { raw }: Connection): void {
  const arriving = openConnection(file)
  try {
    sealForBox(arriving, { from: sealOf(arriving.raw), to: sealOf(raw).key() })
  } finally {
    arriving.raw.close()
  }
}

/** How long processing may take to pass over what was stored: a million entries take some seconds. */
const passMsMax = 600_000

/**
 * Takes in another box's account from the database attached as `arriving`. Until the last transaction it counts as
 * removed: it is invisible, processing skips its entries, and whoever finishes interrupted removals deletes what a kill
 * left behind.
 */
class AccountArrival implements AccountFile {
  readonly isHere: boolean
  private readonly known: { row: number; removedAt: number | null } | null

  constructor(
    private readonly connection: Connection,
    private readonly clock: Clock,
    readonly account: ArrivingAccount,
  ) {
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

  async takeIn(catchUp: () => Promise<unknown>): Promise<{ records: number }> {
    const { connection, clock } = this
    try {
      const { accountRow, entries, last } = await this.stage()
      // Once processing has skipped everything stored, nothing of it is processed again.
      for (const deadlineMs = clock.monotonicMs() + passMsMax; processedTo(connection) < last; await catchUp()) {
        if (clock.monotonicMs() <= deadlineMs) continue
        throw new OperatorError(
          'Records that were captured before still wait to be processed. Try again once they have been.',
        )
      }
      this.makeVisible(accountRow)
      return { records: entries }
    } catch (error) {
      await finishAccountRemovals(connection)
      throw error
    }
  }

  /** @returns the account's row, and the number of its last entry in this box's ledger */
  private async stage(): Promise<{ accountRow: number; entries: number; last: number }> {
    const { connection } = this
    await finishAccountRemovals(connection)
    this.refuseTaken()
    const accountRow = this.hiddenRow()
    // What an earlier stay has left tells of erasures.
    const isNew = `(kind <> ${decisionKinds.erasure} OR NOT EXISTS (SELECT 1 FROM main.ledger known
      WHERE known.account_row = ${accountRow} AND known.kind = ${decisionKinds.erasure} AND known.id = entry.id))`
    const copied = await copyLedger(connection, { accountRow, where: isNew, areDelivered: false })
    await copyRows(connection, reserveNumbers(connection, accountRow))
    return { accountRow, ...copied }
  }

  /** One short transaction. @throws OperatorError if its handle or a domain was taken meanwhile */
  private makeVisible(accountRow: number): void {
    const { connection, account: arriving } = this
    writeTransaction(connection, () => {
      this.refuseTaken()
      takeKeys(connection, { accountRow, arriving })
      const { raw } = connection
      raw.query('INSERT INTO main.domain (host, account_row) SELECT host, ? FROM arriving.domain').run(accountRow)
      endReservations(connection, connectedHosts(connection, accountRow))
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
      // What the other box derived came without its entries being processed.
      noteUnlinkable(connection)
    })
  }

  addLater(): Promise<{ records: number; erasures: ErasureEntry[] }> {
    if (this.known === null) throw new Error('the account is not here')
    return addLaterRecords(this.connection, { accountRow: this.known.row, arriving: this.account })
  }

  close(): void {
    this.connection.raw.close()
  }

  private refuseTaken(): void {
    const { connection } = this
    const { raw } = connection
    const { handle } = this.account
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
    const { id, row } = this.account
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

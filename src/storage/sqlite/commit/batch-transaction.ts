import { type MissingCount, missingDaysKept, missingPathsPerDayMax } from '../../../capture/missing-log.ts'
import { type RefusalCount, refusalHoursKept } from '../../../capture/refusal-log.ts'
import {
  type BatchCommitter,
  type ChallengeSpend,
  type CommittedBatch,
  emptyBatch,
  isEmpty,
  plainlyCommitted,
  type WriteBatch,
} from '../../../capture/write-batch.ts'
import { type Clock, systemClock } from '../../../lib/clock.ts'
import { type Connection, openConnection } from '../database/connection.ts'
import { decisionKinds, type EncodedEntry, entryKinds, splitEntries } from '../ledger/ledger-codec.ts'
import { ReceiptHours } from '../ledger/receipt-hours.ts'
import { forgetMissingQuery, forgetRefusalsQuery } from '../lookup/old-counts.ts'
import { CommitFigures } from './worker-messages.ts'

/** Limits the accounts whose row numbers are remembered between batches. */
const knownAccountsMax = 10_000

/** Commits batches synchronously, on the calling thread. */
export class BatchTransaction {
  readonly connection: Connection
  private readonly statements: BatchStatements
  private readonly receiptHours: ReceiptHours
  private readonly accountRows = new Map<string, number>()
  private readonly writeAll
  private entryCount = 0

  constructor(
    databaseFile: string,
    private readonly figures = new CommitFigures(),
  ) {
    this.connection = openConnection(databaseFile)
    this.statements = prepareStatements(this.connection)
    this.receiptHours = new ReceiptHours(this.connection)
    this.writeAll = this.connection.raw.transaction((batches: readonly WriteBatch[], now: number) =>
      batches.map((batch) => this.write(batch, now)),
    )
  }

  /**
   * One transaction and one fsync for all batches. An empty batch is a change without effect, and goes to the disk like
   * any other.
   *
   * @throws SQLiteError when nothing of any batch was stored (full disk, I/O error, read-only file system)
   */
  commit(batches: readonly WriteBatch[], now: number): CommittedBatch[] {
    const startedMs = systemClock.monotonicMs()
    this.entryCount = 0
    const committed = this.committed(batches, now)
    const { entryCount } = this
    if (entryCount > 0) this.figures.note({ tookMs: systemClock.monotonicMs() - startedMs, entries: entryCount })
    return committed
  }

  /**
   * Commits a change without effect. A connection's first commit opens the data folder to sync it, and no descriptor
   * may be left for that once visitors come.
   *
   * @throws SQLiteError
   */
  prime(): void {
    this.commit([emptyBatch], 0)
  }

  /** Moves the log into the database file and closes it. */
  close(): void {
    this.connection.raw.close()
  }

  private committed(batches: readonly WriteBatch[], now: number): CommittedBatch[] {
    try {
      return this.writeAll.immediate(batches, now)
    } catch (error) {
      this.receiptHours.forget()
      throw error
    }
  }

  private write(batch: WriteBatch, now: number): CommittedBatch {
    if (isEmpty(batch)) return this.writeNothing()
    const homeless: number[] = []
    let position = 0
    for (const entry of splitEntries(batch.entries)) {
      if (!this.insertEntry(entry)) homeless.push(position)
      position++
    }
    this.entryCount += position
    this.addRefusals(batch.refusals)
    this.addMissing(batch.missing)
    for (const sha256 of batch.looseFiles) this.statements.addLooseFile.run(sha256)
    if (batch.spends.length > 0) this.statements.forgetExpired.run(now)
    return { homeless, spent: batch.spends.map((spend) => this.spendChallenge(spend)) }
  }

  /** SQLite does not write an unchanged row: this one changes and changes back, so that the disk is asked. */
  private writeNothing(): CommittedBatch {
    // A box without publications has no row yet.
    this.statements.makeBox.run()
    for (const by of [1, -1]) this.statements.raiseRevision.run(by)
    return plainlyCommitted
  }

  private insertEntry(entry: EncodedEntry): boolean {
    const accountRow = this.accountRow(entry.accountId)
    if (accountRow === null) return false
    const { kind, id, receivedAt, record, checksum } = entry
    const { insertEntry, insertConfirmation } = this.statements
    const insert = kind === decisionKinds.confirmation ? insertConfirmation : insertEntry
    const { changes } = insert.run(accountRow, kind, id, receivedAt, record, checksum)
    if (changes > 0) this.receiptHours.noteInserted(receivedAt)
    return true
  }

  private addRefusals(counts: readonly RefusalCount[]): void {
    const newestHours = new Map<number, number>()
    for (const { accountId, hour, endpoint, check, origin, count } of counts) {
      const accountRow = this.accountRow(accountId)
      if (accountRow === null) continue
      this.statements.addRefusals.run(accountRow, hour, endpoint, check, origin, count)
      newestHours.set(accountRow, Math.max(hour, newestHours.get(accountRow) ?? 0))
    }
    for (const [accountRow, newest] of newestHours) {
      this.statements.forgetRefusals.run(accountRow, newest - refusalHoursKept)
    }
  }

  private addMissing(counts: readonly MissingCount[]): void {
    const newestDays = new Map<number, number>()
    for (const { accountId, day, path, count } of counts) {
      const accountRow = this.accountRow(accountId)
      if (accountRow === null) continue
      this.statements.addMissing.run(accountRow, day, path, count)
      newestDays.set(accountRow, Math.max(day, newestDays.get(accountRow) ?? 0))
    }
    for (const [accountRow, newest] of newestDays)
      this.statements.forgetMissing.run(accountRow, newest - missingDaysKept)
  }

  private spendChallenge({ accountId, challenge, expiresAt }: ChallengeSpend): boolean {
    const accountRow = this.accountRow(accountId)
    if (accountRow === null) return false
    return this.statements.spendChallenge.run(accountRow, challenge, expiresAt).changes > 0
  }

  private accountRow(accountId: string): number | null {
    const known = this.accountRows.get(accountId)
    if (known !== undefined) return known
    const found = this.statements.findAccount.get(accountId)
    if (!found || found.removedAt !== null) return null
    if (this.accountRows.size >= knownAccountsMax) this.accountRows.clear()
    this.accountRows.set(accountId, found.row)
    return found.row
  }
}

type BatchStatements = ReturnType<typeof prepareStatements>

type EntryValues = [
  accountRow: number,
  kind: number,
  id: string,
  receivedAt: number,
  record: string,
  checksum: number | null,
]

type RefusalValues = [accountRow: number, hour: number, endpoint: string, check: string, origin: string, count: number]

function prepareStatements({ raw }: Connection) {
  return {
    makeBox: raw.query<null, []>('INSERT INTO box (id, revision) VALUES (1, 0) ON CONFLICT DO NOTHING'),
    raiseRevision: raw.query<null, [number]>('UPDATE box SET revision = revision + ?'),
    findAccount: raw.query<{ row: number; removedAt: number | null }, [string]>(
      'SELECT row, removed_at AS removedAt FROM account WHERE id = ?',
    ),
    insertEntry: raw.prepare<unknown, EntryValues>(
      'INSERT INTO ledger (account_row, kind, id, received_at, record, checksum) VALUES (?, ?, ?, ?, ?, ?)',
    ),
    // A visitor may press the button twice, or as the submission is erased: then there is nothing to store.
    insertConfirmation: raw.prepare<unknown, EntryValues>(
      `INSERT INTO ledger (account_row, kind, id, received_at, record, checksum) SELECT ?1, ?2, ?3, ?4, ?5, ?6
       WHERE EXISTS (SELECT 1 FROM ledger WHERE account_row = ?1 AND kind = ${entryKinds.submission} AND id = ?3)
       ON CONFLICT DO NOTHING`,
    ),
    addRefusals: raw.query<null, RefusalValues>(
      `INSERT INTO refusal_count (account_row, hour, endpoint, "check", origin, count) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET count = count + excluded.count`,
    ),
    forgetRefusals: raw.query<null, [number, number]>(forgetRefusalsQuery),
    addMissing: raw.query<null, [accountRow: number, day: number, path: string, count: number]>(
      `INSERT INTO missing_count (account_row, day, path, count) SELECT ?1, ?2, ?3, ?4
       WHERE (SELECT count(*) FROM missing_count WHERE account_row = ?1 AND day = ?2) < ${missingPathsPerDayMax}
         OR EXISTS (SELECT 1 FROM missing_count WHERE account_row = ?1 AND day = ?2 AND path = ?3)
       ON CONFLICT DO UPDATE SET count = count + excluded.count`,
    ),
    forgetMissing: raw.query<null, [number, number]>(forgetMissingQuery),
    addLooseFile: raw.query<null, [string]>('INSERT INTO loose_file (sha256) VALUES (?) ON CONFLICT DO NOTHING'),
    forgetExpired: raw.query<null, [number]>('DELETE FROM spent_challenge WHERE expires_at < ?'),
    spendChallenge: raw.query<null, [number, string, number]>(
      'INSERT INTO spent_challenge (account_row, challenge, expires_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
    ),
  }
}

/** Commits on the calling thread: for commands, which keep no requests waiting. */
export class InlineCommitter implements BatchCommitter {
  private transaction: BatchTransaction | null = null

  constructor(
    private readonly databaseFile: string,
    private readonly clock: Clock,
  ) {}

  async commit(batch: WriteBatch): Promise<CommittedBatch> {
    this.transaction ??= new BatchTransaction(this.databaseFile)
    const [committed = plainlyCommitted] = this.transaction.commit([batch], this.clock.now())
    return committed
  }

  async close(): Promise<void> {
    this.transaction?.close()
    this.transaction = null
  }
}

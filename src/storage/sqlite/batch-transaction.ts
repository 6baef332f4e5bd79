import { and, eq, inArray, lt, sql } from 'drizzle-orm'
import { type RefusalCount, refusalHoursKept } from '../../capture/refusal-log.ts'
import { type Connection, openConnection } from './connection.ts'
import { type EncodedEntry, splitEntries } from './ledger-codec.ts'
import { ReceiptHours } from './receipt-hours.ts'
import { account, box, ledger, refusalCount, spentChallenge } from './schema.ts'
import {
  type ChallengeSpend,
  type CommittedBatch,
  emptyBatch,
  isEmpty,
  plainlyCommitted,
  type WriteBatch,
} from './write-batch.ts'

/** Accounts whose row number is remembered between batches. */
const knownAccountsMax = 10_000
/** Old counts of refusals that one batch forgets of an account; a batch comes every second. */
const forgottenPerBatch = 500

/** Commits batches on the thread that calls it, synchronously. */
export class BatchTransaction {
  readonly connection: Connection
  private readonly statements: Statements
  private readonly receiptHours: ReceiptHours
  private readonly accountRows = new Map<string, number>()

  constructor(databaseFile: string) {
    this.connection = openConnection(databaseFile)
    this.statements = prepareStatements(this.connection)
    this.receiptHours = new ReceiptHours(this.connection)
  }

  /**
   * One transaction, one fsync for all batches.
   *
   * @throws SQLiteError when nothing of any batch was stored (full disk, I/O error, read-only file system).
   */
  commit(batches: readonly WriteBatch[], now: number): CommittedBatch[] {
    this.receiptHours.begin()
    return this.connection.db.transaction(() => batches.map((batch) => this.write(batch, now)), {
      behavior: 'immediate',
    })
  }

  /**
   * Commits a change that changes nothing. The first commit of a connection opens the data folder to sync it, for which
   * there may be no descriptor left once visitors come.
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

  private write(batch: WriteBatch, now: number): CommittedBatch {
    if (isEmpty(batch)) return this.writeNothing()
    const homeless: number[] = []
    let position = 0
    for (const entry of splitEntries(batch.entries)) {
      if (!this.insertEntry(entry)) homeless.push(position)
      position++
    }
    this.addRefusals(batch.refusals)
    if (batch.spends.length > 0) this.statements.forgetExpired.run({ now })
    return { homeless, spent: batch.spends.map((spend) => this.spendChallenge(spend)) }
  }

  /** SQLite does not write a row that stays as it was: this one changes and changes back, so the disk is asked. */
  private writeNothing(): CommittedBatch {
    for (const by of [1, -1]) this.statements.raiseRevision.run({ by })
    return plainlyCommitted
  }

  private insertEntry(entry: EncodedEntry): boolean {
    const accountRow = this.accountRow(entry.accountId)
    if (accountRow === null) return false
    const { kind, id, receivedAt, record, checksum } = entry
    this.statements.insertEntry.run({
      accountRow,
      kind,
      id,
      receivedAt,
      record,
      checksum,
    })
    this.receiptHours.noteInserted(receivedAt)
    return true
  }

  private addRefusals(counts: readonly RefusalCount[]): void {
    const newestHours = new Map<number, number>()
    for (const { accountId, ...count } of counts) {
      const accountRow = this.accountRow(accountId)
      if (accountRow === null) continue
      this.statements.addRefusals.run({ accountRow, ...count })
      newestHours.set(accountRow, Math.max(count.hour, newestHours.get(accountRow) ?? 0))
    }
    for (const [accountRow, newest] of newestHours) {
      this.statements.forgetRefusals.run({ accountRow, before: newest - refusalHoursKept })
    }
  }

  private spendChallenge({ accountId, challenge, expiresAt }: ChallengeSpend): boolean {
    const accountRow = this.accountRow(accountId)
    if (accountRow === null) return false
    return this.statements.spendChallenge.all({ accountRow, challenge, expiresAt }).length > 0
  }

  private accountRow(accountId: string): number | null {
    const known = this.accountRows.get(accountId)
    if (known !== undefined) return known
    const found = this.statements.findAccount.get({ accountId })
    if (!found || found.removedAt !== null) return null
    if (this.accountRows.size >= knownAccountsMax) this.accountRows.clear()
    this.accountRows.set(accountId, found.row)
    return found.row
  }
}

type Statements = ReturnType<typeof prepareStatements>

function prepareStatements({ db }: Connection) {
  const value = sql.placeholder
  return {
    findAccount: db
      .select({ row: account.row, removedAt: account.removedAt })
      .from(account)
      .where(eq(account.id, value('accountId')))
      .prepare(),
    raiseRevision: db
      .update(box)
      .set({ revision: sql`${box.revision} + ${value('by')}` })
      .prepare(),
    insertEntry: db
      .insert(ledger)
      .values({
        accountRow: value('accountRow'),
        kind: value('kind'),
        id: value('id'),
        receivedAt: value('receivedAt'),
        record: value('record'),
        checksum: value('checksum'),
      })
      .prepare(),
    addRefusals: db
      .insert(refusalCount)
      .values({
        accountRow: value('accountRow'),
        hour: value('hour'),
        endpoint: value('endpoint'),
        check: value('check'),
        origin: value('origin'),
        count: value('count'),
      })
      .onConflictDoUpdate({
        target: [
          refusalCount.accountRow,
          refusalCount.hour,
          refusalCount.endpoint,
          refusalCount.check,
          refusalCount.origin,
        ],
        set: { count: sql`${refusalCount.count} + excluded.count` },
      })
      .prepare(),
    forgetRefusals: db
      .delete(refusalCount)
      .where(
        inArray(
          sql`rowid`,
          db
            .select({ row: sql`rowid` })
            .from(refusalCount)
            .where(and(eq(refusalCount.accountRow, value('accountRow')), lt(refusalCount.hour, value('before'))))
            .limit(forgottenPerBatch),
        ),
      )
      .prepare(),
    forgetExpired: db
      .delete(spentChallenge)
      .where(lt(spentChallenge.expiresAt, value('now')))
      .prepare(),
    spendChallenge: db
      .insert(spentChallenge)
      .values({
        accountRow: value('accountRow'),
        challenge: value('challenge'),
        expiresAt: value('expiresAt'),
      })
      .onConflictDoNothing()
      .returning({ challenge: spentChallenge.challenge })
      .prepare(),
  }
}

import type { Database } from 'bun:sqlite'
import { eq } from 'drizzle-orm'
import type { Decision } from '../../../ledger/decision.ts'
import type { Quarantine, ReleaseOutcome } from '../../../processing/processing.ts'
import type { NotedSubmission, Submissions } from '../../../processing/submissions/submissions.ts'
import type { SubmissionReader } from '../../../report/submission-reader.ts'
import type { Connection } from '../database/connection.ts'
import { writeTransaction } from '../database/write-transaction.ts'
import { decisionKinds, decodeDecision, entryColumns, type StoredRow } from '../ledger/ledger-codec.ts'
import { appendDecision } from '../ledger/receipt-hours.ts'
import { submissionFact } from '../schema/fact-schema.ts'
import { BulkInsert } from './bulk-insert.ts'
import type { RowOfAccount } from './processed-accounts.ts'

/** Releases in SQLite: each is an entry of the ledger that processing takes up in its turn. */
export class SqliteQuarantine implements Quarantine {
  constructor(
    private readonly connection: Connection,
    private readonly submissions: Pick<SubmissionReader, 'find'>,
  ) {}

  async release(accountId: string, id: string, at: number): Promise<ReleaseOutcome> {
    const found = await this.submissions.find(accountId, id)
    if (found === null) return { outcome: 'unknown' }
    const { submission, row, releasedAt } = found
    if (submission.test) return { outcome: 'test_page' }
    if (submission.status === 'accepted') return { outcome: 'accepted' }
    if (releasedAt !== null) return { outcome: 'already_released', at: releasedAt }
    // In one transaction, so that only one of two operators releases it.
    return writeTransaction(this.connection, () => {
      const accountRow = this.accountRowOf(Number(row.cursor))
      if (accountRow === null) return { outcome: 'unprocessed' }
      const waiting = this.waiting(accountRow, { accountId, id })
      if (waiting !== null) return { outcome: 'already_released', at: waiting.receivedAt }
      appendDecision(this.connection, accountRow, { kind: 'release', id, accountId, receivedAt: at })
      return { outcome: 'released', at }
    })
  }

  /** `null`: the submission is not processed yet. */
  private accountRowOf(sequence: number): number | null {
    const found = this.connection.db
      .select({ accountRow: submissionFact.accountRow })
      .from(submissionFact)
      .where(eq(submissionFact.sequence, sequence))
      .get()
    return found?.accountRow ?? null
  }

  /** A release that is not processed yet. */
  private waiting(accountRow: number, { accountId, id }: { accountId: string; id: string }): Decision | null {
    const { raw } = this.connection
    // The kind is spelled out: the index by id is partial and not used with a parameter.
    const found = raw
      .query<StoredRow, [number, string]>(
        `SELECT ${entryColumns} FROM ledger WHERE account_row = ? AND kind = ${decisionKinds.release} AND id = ?`,
      )
      .get(accountRow, id)
    return found && decodeDecision(found, accountId)
  }
}

/** A day of any time zone begins with one: offsets are multiples of it. */
export const msPerQuarterHour = 15 * 60_000

/** The table `quarantine_count`, changed in the present transaction. */
export class QuarantineCounts {
  private readonly statements: ReturnType<typeof prepareStatements>

  constructor(raw: Database) {
    this.statements = prepareStatements(raw)
  }

  keep({ added, released }: Pick<Submissions, 'added' | 'released'>, rowOfAccount: RowOfAccount): void {
    const rowOf = ({ submission }: NotedSubmission) => rowOfAccount(submission.accountId)
    const kept = added.filter(({ submission, releasedAt }) => submission.status === 'refused' && releasedAt === null)
    this.statements.add.run(kept.map((noted) => [rowOf(noted), quarterHourOf(noted.submission), 1]))
    for (const noted of released) this.remove({ accountRow: rowOf(noted), receivedAt: noted.submission.receivedAt })
  }

  /** A submission was released or deleted. */
  remove({ accountRow, receivedAt }: { accountRow: number; receivedAt: number }): void {
    const quarterHour = quarterHourOf({ receivedAt })
    this.statements.subtract.run(accountRow, quarterHour)
    this.statements.forgetZero.run(accountRow, quarterHour)
  }
}

const quarterHourOf = ({ receivedAt }: { receivedAt: number }): number => Math.floor(receivedAt / msPerQuarterHour)

const prepareStatements = (raw: Database) => ({
  add: new BulkInsert(
    raw,
    'quarantine_count (account_row, quarter_hour, count)',
    'ON CONFLICT DO UPDATE SET count = count + 1',
  ),
  subtract: raw.query<null, [number, number]>(
    'UPDATE quarantine_count SET count = count - 1 WHERE account_row = ? AND quarter_hour = ?',
  ),
  forgetZero: raw.query<null, [number, number]>(
    'DELETE FROM quarantine_count WHERE account_row = ? AND quarter_hour = ? AND count = 0',
  ),
})

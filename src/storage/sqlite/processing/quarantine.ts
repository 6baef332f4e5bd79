import type { Database } from 'bun:sqlite'
import { eq } from 'drizzle-orm'
import type { Decision } from '../../../ledger/decision.ts'
import type { Submission } from '../../../ledger/entry.ts'
import type { Quarantine, RefusalOutcome, ReleaseOutcome, Undecided } from '../../../processing/processing.ts'
import type { Submissions } from '../../../processing/submissions/submissions.ts'
import type { SubmissionReader } from '../../../report/submission-reader.ts'
import type { Connection } from '../database/connection.ts'
import { writeTransaction } from '../database/write-transaction.ts'
import { decodeDecision, entryColumns, isOfSubmission, type StoredRow } from '../ledger/ledger-codec.ts'
import { appendDecision } from '../ledger/receipt-hours.ts'
import { submissionFact } from '../schema/fact-schema.ts'
import { BulkInsert } from './bulk-insert.ts'
import type { RowOfAccount } from './processed-accounts.ts'

/** Decisions in SQLite: each is an entry of the ledger that processing takes up in its turn. */
export class SqliteQuarantine implements Quarantine {
  constructor(
    private readonly connection: Connection,
    private readonly submissions: Pick<SubmissionReader, 'find'>,
  ) {}

  async release(accountId: string, id: string, at: number): Promise<ReleaseOutcome> {
    return this.decide(accountId, id, (latest, { status }, append) => {
      if (latest?.kind === 'release') return { outcome: 'already_released', at: latest.receivedAt }
      if (latest === null && status === 'accepted') return { outcome: 'accepted', at: null }
      append({ kind: 'release', id, accountId, receivedAt: at })
      return { outcome: 'released', at }
    })
  }

  async refuse(accountId: string, id: string, at: number): Promise<RefusalOutcome> {
    return this.decide(accountId, id, (latest, { status }, append) => {
      if (latest?.kind === 'refusal') return { outcome: 'already_refused', at: latest.receivedAt }
      if (latest === null && status === 'refused') return { outcome: 'already_refused', at: null }
      append({ kind: 'refusal', id, accountId, receivedAt: at })
      return { outcome: 'refused', at }
    })
  }

  /** Looks and decides in one transaction, so that only one of two operators does. */
  private async decide<Outcome>(
    accountId: string,
    id: string,
    outcome: (latest: Decision | null, submission: Submission, append: (decision: Decision) => void) => Outcome,
  ): Promise<Outcome | Undecided> {
    const found = await this.submissions.find(accountId, id)
    if (found === null) return { outcome: 'unknown' }
    const { submission, row } = found
    if (submission.test) return { outcome: 'test_page' }
    return writeTransaction(this.connection, () => {
      const accountRow = this.accountRowOf(Number(row.cursor))
      if (accountRow === null) return { outcome: 'unprocessed' }
      const append = (decision: Decision) => appendDecision(this.connection, accountRow, decision)
      return outcome(this.latest(accountRow, { accountId, id }), submission, append)
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

  /** The latest decision about a submission, processed or not. */
  private latest(accountRow: number, { accountId, id }: { accountId: string; id: string }): Decision | null {
    const found = this.connection.raw
      .query<StoredRow, [number, string]>(
        `SELECT ${entryColumns} FROM ledger WHERE account_row = ? AND kind ${isOfSubmission} AND id = ?
         ORDER BY sequence DESC LIMIT 1`,
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

  keep(
    { added, withdrawn, released }: Pick<Submissions, 'added' | 'withdrawn' | 'released'>,
    rowOfAccount: RowOfAccount,
  ): void {
    const rowOf = ({ submission }: { submission: Submission }) => rowOfAccount(submission.accountId)
    const kept = added.filter(({ submission, releasedAt }) => submission.status === 'refused' && releasedAt === null)
    this.statements.add.run([...kept, ...withdrawn].map((noted) => [rowOf(noted), quarterHourOf(noted.submission), 1]))
    for (const noted of released) this.remove({ accountRow: rowOf(noted), receivedAt: noted.submission.receivedAt })
  }

  /** A submission was released, or deleted from there. */
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

import type { Database } from 'bun:sqlite'
import type { NotedSubmission, Submissions } from '../../../processing/submissions/submissions.ts'
import { BulkInsert } from './bulk-insert.ts'
import type { RowOfAccount } from './processed-accounts.ts'

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

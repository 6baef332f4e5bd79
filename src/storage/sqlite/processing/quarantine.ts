import { eq } from 'drizzle-orm'
import type { Decision } from '../../../ledger/decision.ts'
import type { Quarantine, ReleaseOutcome } from '../../../processing/processing.ts'
import type { SubmissionReader } from '../../../report/submission-reader.ts'
import type { Connection } from '../database/connection.ts'
import { writeTransaction } from '../database/write-transaction.ts'
import { decisionKinds, decodeDecision, entryColumns, type StoredRow } from '../ledger/ledger-codec.ts'
import { appendDecision } from '../ledger/receipt-hours.ts'
import { submissionFact } from '../schema/fact-schema.ts'

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

import { and, eq, sql } from 'drizzle-orm'
import type { Quarantine, ReleaseOutcome } from '../../../processing/submissions/quarantine.ts'
import type { SubmissionReader } from '../../../report/submission-reader.ts'
import type { Connection } from '../database/connection.ts'
import { appendDecision } from '../ledger/append-decision.ts'
import { decisionKinds } from '../ledger/decision-codec.ts'
import { ledger } from '../ledger/ledger-schema.ts'
import { submissionFact } from './fact-schema.ts'

/** Written out: the index by id is a partial one, and not used for a parameter. */
const isRelease = sql`${ledger.kind} = ${sql.raw(String(decisionKinds.release))}`

/** Releases in SQLite: an entry of the ledger, which processing takes up in its turn. */
export class SqliteQuarantine implements Quarantine {
  constructor(
    private readonly connection: Connection,
    private readonly submissions: Pick<SubmissionReader, 'find'>,
  ) {}

  async release(accountId: string, id: string, at: number): Promise<ReleaseOutcome> {
    const found = await this.submissions.find(accountId, id)
    if (found === null) return { outcome: 'unknown' }
    const { submission, row } = found
    if (submission.test) return { outcome: 'test_page' }
    if (submission.status === 'accepted') return { outcome: 'accepted' }
    // In one transaction, so that of two operators one releases it.
    return this.connection.db.transaction(
      () => {
        const accountRow = this.accountRowOf(Number(row.cursor))
        if (accountRow === null) return { outcome: 'unprocessed' }
        const releasedAt = this.releasedAt(accountRow, id)
        if (releasedAt !== null) return { outcome: 'already_released', at: releasedAt }
        appendDecision(this.connection, accountRow, { kind: 'release', id, accountId, receivedAt: at })
        return { outcome: 'released', at }
      },
      { behavior: 'immediate' },
    )
  }

  /** `null`: nobody has processed the submission. */
  private accountRowOf(sequence: number): number | null {
    const found = this.connection.db
      .select({ accountRow: submissionFact.accountRow })
      .from(submissionFact)
      .where(eq(submissionFact.sequence, sequence))
      .get()
    return found?.accountRow ?? null
  }

  /** By the ledger, since the release may wait to be processed. */
  private releasedAt(accountRow: number, id: string): number | null {
    const found = this.connection.db
      .select({ at: ledger.receivedAt })
      .from(ledger)
      .where(and(eq(ledger.accountRow, accountRow), isRelease, eq(ledger.id, id)))
      .get()
    return found?.at ?? null
  }
}

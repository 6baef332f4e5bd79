import { and, eq, isNull } from 'drizzle-orm'
import type { Quarantine, ReleaseOutcome } from '../../../processing/submissions/quarantine.ts'
import type { SubmissionReader } from '../../../report/submission-reader.ts'
import type { Connection } from '../database/connection.ts'
import { submissionFact } from './fact-schema.ts'

/** Releases in SQLite: what is kept of one is a mark that the next step of processing takes up. */
export class SqliteQuarantine implements Quarantine {
  constructor(
    private readonly connection: Connection,
    private readonly submissions: Pick<SubmissionReader, 'find'>,
  ) {}

  async release(accountId: string, id: string, at: number): Promise<ReleaseOutcome> {
    const found = await this.submissions.find(accountId, id)
    if (found === null) return { outcome: 'unknown' }
    const { submission, releasedAt, row } = found
    if (submission.test) return { outcome: 'test_page' }
    if (submission.status === 'accepted') return { outcome: 'accepted' }
    if (releasedAt !== null) return { outcome: 'already_released', at: releasedAt }
    return this.mark(Number(row.cursor), at) ? { outcome: 'released', at } : this.outcomeOfOther(accountId, id)
  }

  /** One statement, so that of two operators one releases it. */
  private mark(sequence: number, at: number): boolean {
    const marked = this.connection.db
      .update(submissionFact)
      .set({ releasedAt: at, releaseWaits: true })
      .where(and(eq(submissionFact.sequence, sequence), isNull(submissionFact.releasedAt)))
      .returning({ sequence: submissionFact.sequence })
      .all()
    return marked.length > 0
  }

  /** It could not be marked: nobody has processed it, or somebody else was faster. */
  private async outcomeOfOther(accountId: string, id: string): Promise<ReleaseOutcome> {
    const releasedAt = (await this.submissions.find(accountId, id))?.releasedAt ?? null
    return releasedAt === null ? { outcome: 'unprocessed' } : { outcome: 'already_released', at: releasedAt }
  }
}

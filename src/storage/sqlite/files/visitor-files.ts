import type { VisitorFile } from '../../../ledger/entry.ts'
import type { VisitorFiles } from '../../../ledger/visitor-files.ts'
import type { Clock } from '../../../lib/clock.ts'
import type { GroupCommit } from '../commit/group-commit.ts'
import type { Connection } from '../database/connection.ts'
import { breath } from '../database/in-steps.ts'
import { releaseLooseStep } from '../forgetting/loose-files.ts'
import { decodeEntry, type EntryRow, entryKinds } from '../ledger/ledger-codec.ts'

/** An account with 100,000 files is added up in some 20 ms. */
const rememberedMs = 10_000
const rememberedMax = 1000

export class SqliteVisitorFiles implements VisitorFiles {
  private readonly kept = new Map<string, { bytes: number; atMs: number }>()

  constructor(
    private readonly database: Connection,
    private readonly reader: Connection,
    private readonly clock: Pick<Clock, 'monotonicMs'>,
    private readonly groupCommit: Pick<GroupCommit, 'addBeside'>,
  ) {}

  async find(accountId: string, submissionId: string, fileId: string): Promise<VisitorFile | null> {
    const row = this.reader.raw
      .query<EntryRow, [string, string]>(
        `SELECT kind, ledger.id, received_at AS receivedAt, record, checksum FROM ledger
         WHERE account_row = (SELECT row FROM account WHERE id = ? AND removed_at IS NULL)
           AND kind = ${entryKinds.submission} AND id = ?`,
      )
      .get(accountId, submissionId)
    const entry = row && decodeEntry(row, accountId)
    if (entry?.kind !== 'submission') return null
    return entry.files?.find(({ id }) => id === fileId) ?? null
  }

  keptBytes(accountId: string): number {
    const nowMs = this.clock.monotonicMs()
    const known = this.kept.get(accountId)
    if (known !== undefined && nowMs - known.atMs < rememberedMs) return known.bytes
    const found = this.reader.raw
      .query<{ bytes: number }, [string]>(
        `SELECT coalesce(sum(bytes), 0) AS bytes FROM (SELECT DISTINCT sha256, bytes FROM submission_file
         WHERE account_row = (SELECT row FROM account WHERE id = ?))`,
      )
      .get(accountId)
    const bytes = found?.bytes ?? 0
    if (this.kept.size >= rememberedMax) this.kept.clear()
    this.kept.set(accountId, { bytes, atMs: nowMs })
    return bytes
  }

  loosen(hashes: readonly string[]): Promise<void> {
    return this.groupCommit.addBeside({ looseFiles: [...hashes] })
  }

  async releaseLoose(remove: (sha256: string) => void): Promise<void> {
    while (releaseLooseStep(this.database, remove) === 'more') await breath()
  }
}

import type { Database } from 'bun:sqlite'
import type { ReplyOptOuts } from '../../../account/reply-opt-out.ts'
import type { GroupCommit } from '../commit/group-commit.ts'

/**
 * Visitors' opt-outs go to disk with the group commit, as spent challenges that never expire: the serving thread writes
 * nothing itself, and they go only with their account (docs/decisions/0054).
 */
export class SqliteReplyOptOuts implements ReplyOptOuts {
  constructor(private readonly groupCommit: Pick<GroupCommit, 'spend'>) {}

  async add(accountId: string, mark: string): Promise<void> {
    await this.groupCommit.spend({ accountId, challenge: kept(mark), expiresAt: Number.MAX_SAFE_INTEGER })
  }
}

/** Distinguishes opt-outs from challenges, which contain no blank. */
const kept = (mark: string): string => `no-reply ${mark}`

/**
 * Whether the visitor of this mark declined further replies.
 * @param accountRow the account's row
 */
export function optOutLookup(raw: Database): (accountRow: number, mark: string) => boolean {
  const found = raw.query<{ found: number }, [number, string]>(
    'SELECT 1 AS found FROM spent_challenge WHERE account_row = ? AND challenge = ?',
  )
  return (accountRow, mark) => found.get(accountRow, kept(mark)) !== null
}

import type { Database } from 'bun:sqlite'
import type { ReplyOptOuts } from '../../../account/reply-opt-out.ts'
import type { GroupCommit } from '../commit/group-commit.ts'

/**
 * Visitors' opt-outs go to disk with the group commit, as challenges that are spent and never expire: the serving thread writes
 * nothing itself, and what is kept so goes with its account alone (docs/decisions/0054).
 */
export class SqliteReplyOptOuts implements ReplyOptOuts {
  constructor(private readonly groupCommit: Pick<GroupCommit, 'spend'>) {}

  async add(accountId: string, mark: string): Promise<void> {
    await this.groupCommit.spend({ accountId, challenge: kept(mark), expiresAt: Number.MAX_SAFE_INTEGER })
  }
}

/** Apart from challenges, which hold no blank. */
const kept = (mark: string): string => `no-reply ${mark}`

/** Whether the visitor of this mark wants no more replies. @param accountRow the account's row */
export function optOutLookup(raw: Database): (accountRow: number, mark: string) => boolean {
  const found = raw.query<{ found: number }, [number, string]>(
    'SELECT 1 AS found FROM spent_challenge WHERE account_row = ? AND challenge = ?',
  )
  return (accountRow, mark) => found.get(accountRow, kept(mark)) !== null
}

import type { Connection } from '../database/connection.ts'
import { entryKinds } from '../ledger/ledger-codec.ts'

/** Where a submission of an account is stored. */
export interface StoredAt {
  accountRow: number
  sequence: number
}

/** `null`: the account has no such submission. The kind is spelled out because the index by id is partial. */
export const submissionPlace = (
  { raw }: Pick<Connection, 'raw'>,
  accountId: string,
  submissionId: string,
): StoredAt | null =>
  raw
    .query<StoredAt, [string, string]>(
      `SELECT account_row AS accountRow, sequence FROM ledger
       WHERE account_row = (SELECT row FROM account WHERE id = ? AND removed_at IS NULL)
         AND kind = ${entryKinds.submission} AND id = ?`,
    )
    .get(accountId, submissionId.toLowerCase())

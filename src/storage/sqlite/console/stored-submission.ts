import type { Connection } from '../database/connection.ts'
import { entryKinds } from '../ledger/ledger-codec.ts'

/** Where a submission of an account is stored. */
export interface StoredAt {
  accountRow: number
  sequence: number
}

export interface StoredSubmissionPlace extends StoredAt {
  /** Epoch milliseconds. */
  receivedAt: number
}

/** `null`: the account has no such submission. The kind is spelled out because the index by id is partial. */
export const submissionPlace = (
  { raw }: Pick<Connection, 'raw'>,
  accountId: string,
  submissionId: string,
): StoredSubmissionPlace | null =>
  raw
    .query<StoredSubmissionPlace, [string, string]>(
      `SELECT account_row AS accountRow, sequence, received_at AS receivedAt FROM ledger
       WHERE account_row = (SELECT row FROM account WHERE id = ? AND removed_at IS NULL)
         AND kind = ${entryKinds.submission} AND id = ?`,
    )
    .get(accountId, submissionId.toLowerCase())

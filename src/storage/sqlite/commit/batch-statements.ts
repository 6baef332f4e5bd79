import type { Connection } from '../database/connection.ts'

/** Old refusal counts of an account that one batch deletes; a batch comes every second. */
const forgottenPerBatch = 500

export type BatchStatements = ReturnType<typeof prepareStatements>

type EntryValues = [
  accountRow: number,
  kind: number,
  id: string,
  receivedAt: number,
  record: string,
  checksum: number | null,
]

type RefusalValues = [accountRow: number, hour: number, endpoint: string, check: string, origin: string, count: number]

/** The statements of `BatchTransaction`. */
export function prepareStatements({ raw }: Connection) {
  return {
    makeBox: raw.query<null, []>('INSERT INTO box (id, revision) VALUES (1, 0) ON CONFLICT DO NOTHING'),
    raiseRevision: raw.query<null, [number]>('UPDATE box SET revision = revision + ?'),
    findAccount: raw.query<{ row: number; removedAt: number | null }, [string]>(
      'SELECT row, removed_at AS removedAt FROM account WHERE id = ?',
    ),
    insertEntry: raw.prepare<unknown, EntryValues>(
      'INSERT INTO ledger (account_row, kind, id, received_at, record, checksum) VALUES (?, ?, ?, ?, ?, ?)',
    ),
    addRefusals: raw.query<null, RefusalValues>(
      `INSERT INTO refusal_count (account_row, hour, endpoint, "check", origin, count) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET count = count + excluded.count`,
    ),
    forgetRefusals: raw.query<null, [number, number]>(
      `DELETE FROM refusal_count WHERE account_row = ? AND hour < ? LIMIT ${forgottenPerBatch}`,
    ),
    forgetExpired: raw.query<null, [number]>('DELETE FROM spent_challenge WHERE expires_at < ?'),
    spendChallenge: raw.query<null, [number, string, number]>(
      'INSERT INTO spent_challenge (account_row, challenge, expires_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
    ),
  }
}

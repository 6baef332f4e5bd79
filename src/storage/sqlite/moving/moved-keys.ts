import type { Connection } from '../database/connection.ts'

/**
 * Keys of `signing_key` and `moved_signing_key` of the database attached as `arriving`, except those this box itself
 * signs with.
 */
const arrivingKeys = `
  SELECT id, purpose, secret, created_at, verifies_until FROM arriving.signing_key
  UNION ALL SELECT id, purpose, secret, created_at, verifies_until FROM arriving.moved_signing_key`

/** Makes the other box's signatures for the account valid here, for this account alone. Call in a transaction. */
export function takeKeys({ raw }: Pick<Connection, 'raw'>, accountRow: number): void {
  raw
    .query<null, [number]>(
      `INSERT INTO main.moved_signing_key (account_row, id, purpose, secret, created_at, verifies_until)
       SELECT ?, id, purpose, secret, created_at, verifies_until FROM (${arrivingKeys}) brought
       WHERE NOT EXISTS (SELECT 1 FROM main.signing_key own WHERE own.id = brought.id AND own.secret = brought.secret)
       ON CONFLICT DO NOTHING`,
    )
    .run(accountRow)
}

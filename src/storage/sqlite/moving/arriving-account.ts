import type { Database } from 'bun:sqlite'
import type { Connection } from '../database/connection.ts'
import { type SealedName, sealOf } from '../seal/box-seal.ts'

/** The account in the database attached as `arriving`. */
export interface ArrivingAccount {
  row: number
  id: string
  handle: string
}

/** The only account of an extract; `null`: none or several. */
export function arrivingAccount({ raw }: Pick<Connection, 'raw'>): ArrivingAccount | null {
  const found = raw
    .query<ArrivingAccount, []>('SELECT row, id, handle FROM arriving.account WHERE removed_at IS NULL LIMIT 2')
    .all()
  return found.length === 1 ? (found[0] ?? null) : null
}

interface KeyRow {
  id: string
  purpose: string
  secret: Uint8Array
  createdAt: number
  verifiesUntil: number | null
}

const keyColumns = 'id, purpose, secret, created_at AS createdAt, verifies_until AS verifiesUntil'

/**
 * Makes the other box's signatures for the account valid here, for this account alone: keys of `signing_key` and
 * `moved_signing_key` of the database attached as `arriving`, except those this box itself signs with. Call in a transaction.
 */
export function takeKeys(
  { raw }: Pick<Connection, 'raw'>,
  { accountRow, arriving }: { accountRow: number; arriving: ArrivingAccount },
): void {
  const seal = sealOf(raw)
  const own = new Map(keysIn(raw, 'main.signing_key', 'signingKey', (id) => id).map(({ id, secret }) => [id, secret]))
  const insert = raw.query<null, [number, string, string, Uint8Array, number, number | null]>(
    `INSERT INTO main.moved_signing_key (account_row, id, purpose, secret, created_at, verifies_until)
     VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
  )
  const ofAccount = (id: string): string => `${arriving.id} ${id}`
  const brought = [
    ...keysIn(raw, 'arriving.signing_key', 'signingKey', (id) => id),
    ...keysIn(raw, 'arriving.moved_signing_key', 'movedSigningKey', ofAccount),
  ]
  for (const { id, purpose, secret, createdAt, verifiesUntil } of brought) {
    const known = own.get(id)
    if (known !== undefined && Buffer.from(known).equals(secret)) continue
    const sealed = seal.sealBytes('movedSigningKey', ofAccount(id), secret)
    insert.run(accountRow, id, purpose, sealed, createdAt, verifiesUntil)
  }
}

/** The arriving database is sealed with the key of this box by now. */
function keysIn(raw: Database, table: string, name: SealedName, identity: (id: string) => string): KeyRow[] {
  const rows = raw.query<KeyRow, []>(`SELECT ${keyColumns} FROM ${table}`).all()
  return rows.map((row) => ({ ...row, secret: sealOf(raw).openBytes(name, identity(row.id), row.secret) }))
}

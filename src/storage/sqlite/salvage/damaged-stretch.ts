import type { Connection } from '../database/connection.ts'
import { ledgerKinds } from '../ledger/ledger-codec.ts'
import { ledgerBy } from '../lookup/ledger-tree.ts'
import { unlessDamaged } from './damage.ts'
import { newestNumber } from './ledger-numbers.ts'
import { LedgerRows, type StoredRow } from './ledger-row.ts'

/** Numbers examined at a time. */
const windowNumbers = 256

/** What comes after a place where the ledger cannot be read. */
export interface DamagedStretch {
  /** The number up to which nothing is readable. */
  to: number
  /** Records there according to the index, as far as it is readable. */
  passed: { sequence: number; accountRow: number }[]
  /** The first readable row; `null`: none up to `to`, from which to look on. */
  next: StoredRow | null
}

/** Looks past a number at which a statement met damage. Not in a writing transaction: SQLite ends it. */
export function damagedStretch(connection: Connection, begin: number): DamagedStretch {
  const rows = new LedgerRows(connection)
  const end = Math.min(begin + windowNumbers, Math.max(newestNumber(connection), begin))
  let next: StoredRow | null = null
  let to = begin
  while (to < end && next === null) {
    const row = rows.at(to + 1)
    if (typeof row === 'object') next = row
    else to++
  }
  return { to, passed: indexedWithin(connection, begin + 1, to), next }
}

function indexedWithin({ raw }: Connection, first: number, last: number): DamagedStretch['passed'] {
  if (last < first) return []
  const accounts = raw.query<{ row: number }, []>('SELECT row FROM account').all()
  const indexed = raw.query<{ sequence: number }, [number, number, number, number]>(
    `SELECT sequence FROM ${ledgerBy.account}
     WHERE account_row = ? AND kind = ? AND sequence BETWEEN ? AND ?`,
  )
  return accounts.flatMap(({ row: accountRow }) =>
    ledgerKinds.flatMap((kind) =>
      unlessDamaged(
        () => indexed.all(accountRow, kind, first, last).map(({ sequence }) => ({ sequence, accountRow })),
        () => [],
      ),
    ),
  )
}

import type { Connection } from '../database/connection.ts'
import { TreeFault, unlessDamaged } from '../database/damage.ts'
import { ledgerBy } from '../lookup/ledger-tree.ts'
import { entryColumns, ledgerKinds, type StoredRow } from './ledger-codec.ts'

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

/**
 * Looks past a number at which a statement met damage: leads that come later are delivered all the same. Not in a writing
 * transaction: SQLite ends it.
 */
export function damagedStretch(connection: Connection, begin: number): DamagedStretch {
  const { raw } = connection
  const row = raw.query<StoredRow, [number]>(`SELECT ${entryColumns} FROM ledger WHERE sequence = ?`)
  const end = Math.min(begin + windowNumbers, Math.max(newestNumber(connection), begin))
  let next: StoredRow | null = null
  let to = begin
  while (to < end && next === null) {
    const found = unlessDamaged(
      () => row.get(to + 1),
      () => null,
    )
    if (found !== null && isWhole(found)) next = found
    else to++
  }
  return { to, passed: indexedWithin(connection, begin + 1, to), next }
}

/** A damaged page may have anything in place of a column. */
const isWhole = ({ id, kind, receivedAt, record }: StoredRow): boolean =>
  typeof id === 'string' && typeof kind === 'number' && typeof receivedAt === 'number' && typeof record === 'string'

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

/** The latest number of the ledger; where the end of the table is damaged, the latest ever assigned; 0 if nothing shows it. */
export function newestNumber(connection: Connection): number {
  return unlessDamaged(
    () => numberOf(connection, `SELECT max(sequence) AS sequence FROM ${ledgerBy.table}`),
    () =>
      unlessDamaged(
        () => numberOf(connection, `SELECT seq AS sequence FROM sqlite_sequence WHERE name = 'ledger'`),
        () => 0,
      ),
  )
}

/** A damaged page may contain any number. */
function numberOf({ raw }: Connection, query: string): number {
  const { sequence = null } = raw.query<{ sequence: unknown }, []>(query).get() ?? {}
  if (sequence === null) return 0
  if (Number.isSafeInteger(sequence) && Number(sequence) >= 0) return Number(sequence)
  throw new TreeFault('the latest number of the ledger is none')
}

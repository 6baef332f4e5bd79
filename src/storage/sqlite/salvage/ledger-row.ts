import { eq, sql } from 'drizzle-orm'
import type { Connection } from '../database/connection.ts'
import { ledgerBy } from '../lookup/ledger-tree.ts'
import { ledger } from '../schema/ledger-schema.ts'
import { TreeFault, unlessDamaged } from './damage.ts'
import { newestNumber } from './ledger-numbers.ts'
import { idsNamedMax } from './missing-run.ts'

export type StoredRow = typeof ledger.$inferSelect

/** Looks rows up one by one where a statement over many fails. */
export class LedgerRows {
  private readonly row: ReturnType<typeof prepareRow>

  constructor(private readonly connection: Connection) {
    this.row = prepareRow(connection)
  }

  /** `undefined`: no such row. `damaged`: its place is unreadable. */
  at(sequence: number): StoredRow | undefined | 'damaged' {
    return unlessDamaged(
      () => {
        const row = this.row.get({ sequence })
        return row === undefined || isWhole(row) ? row : 'damaged'
      },
      () => 'damaged' as const,
    )
  }

  /** Receipt of the row, epoch milliseconds; `null`: missing or unreadable. */
  receivedAt(sequence: number): number | null {
    const row = this.at(sequence)
    return row === undefined || row === 'damaged' ? null : row.receivedAt
  }

  /** Ids of an account's submissions according to their index. */
  submissionIds(accountRow: number, first: number, last: number): string[] {
    return unlessDamaged(
      () =>
        this.connection.raw
          .query<{ id: unknown }, [number, number, number]>(
            `SELECT id FROM ${ledgerBy.submissionId}
             WHERE account_row = ? AND kind = 1 AND sequence BETWEEN ? AND ? LIMIT ${idsNamedMax}`,
          )
          .all(accountRow, first, last)
          .flatMap(({ id }) => (typeof id === 'string' ? [id] : [])),
      () => [],
    )
  }
}

const prepareRow = ({ db }: Connection) =>
  db
    .select()
    .from(ledger)
    .where(eq(ledger.sequence, sql.placeholder('sequence')))
    .prepare()

/** The latest receipt among so many of the last numbers, epoch milliseconds; `null`: none is readable. */
export function latestReadableReceipt(connection: Connection, count: number): number | null {
  const rows = new LedgerRows(connection)
  const newest = newestNumber(connection)
  let latest: number | null = null
  for (let sequence = newest; sequence > Math.max(0, newest - count); sequence--) {
    const receivedAt = rows.receivedAt(sequence)
    if (receivedAt !== null && receivedAt > (latest ?? 0)) latest = receivedAt
  }
  return latest
}

/** A damaged page may have anything in place of a column. */
const isWhole = ({ id, kind, receivedAt, record }: StoredRow): boolean =>
  typeof id === 'string' && typeof kind === 'number' && typeof receivedAt === 'number' && typeof record === 'string'

/** @throws TreeFault */
export function assertWhole(rows: readonly StoredRow[]): void {
  if (!rows.every(isWhole)) throw new TreeFault('a row of the ledger holds what none can')
}

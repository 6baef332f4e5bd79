import type { Database } from 'bun:sqlite'
import { tables } from '../../src/storage/sqlite/schema/tables.ts'

export type Row = Record<string, unknown>

/** What all nodes of a cluster have alike. Not a node's own: where it is in the chain, and what is worth nothing elsewhere. */
export const comparedTables = tables
  .filter(({ is, isLinked }) => is !== 'node' && (is !== 'fleeting' || isLinked))
  .map(({ name }) => name)

/** In one order. */
export const rowsOf = (raw: Database, table: string): Row[] =>
  raw
    .query<Row, []>(`SELECT * FROM "${table}"`)
    .all()
    .filter(({ last_sequence }) => last_sequence !== Number.MAX_SAFE_INTEGER)
    .map((row) => ({ row, text: JSON.stringify(row) }))
    .sort((one, other) => (one.text < other.text ? -1 : 1))
    .map(({ row }) => row)

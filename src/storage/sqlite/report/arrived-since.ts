import type { Cursor, LedgerRow } from '../../../ledger/ledger.ts'
import type { Connection } from '../database/connection.ts'
import { reading } from '../database/damage.ts'
import { decodedRows, entryColumns, type StoredRow } from '../ledger/ledger-codec.ts'
import { byRow } from '../lookup/ledger-tree.ts'
import { processedTo } from '../processing/processed-to.ts'

/** Submissions answered at once; those behind them are for the next time. */
const rowsMax = 100

/** By their numbers, between the last look and what is processed by now: a few rows, whatever the account holds. */
const arrivedQuery = `SELECT ${entryColumns}
  FROM ${byRow('submission_fact fact')} JOIN ledger ON ledger.sequence = fact.sequence
  WHERE fact.sequence > ? AND fact.sequence <= ? AND fact.account_row = (SELECT row FROM account WHERE id = ?)
  ORDER BY fact.sequence LIMIT ${rowsMax}`

export function arrivedSince(
  reader: Connection,
  accountId: string,
  after: Cursor | null,
): { rows: LedgerRow[]; cursor: Cursor } {
  return reading(reader, () => {
    const processed = processedTo(reader)
    if (after === null || processed <= Number(after)) return { rows: [], cursor: String(processed) }
    const rows = reader.raw
      .query<StoredRow, [number, number, string]>(arrivedQuery)
      .all(Number(after), processed, accountId)
    const cursor = rows.length === rowsMax ? (rows.at(-1)?.sequence ?? processed) : processed
    return { rows: decodedRows(rows, accountId), cursor: String(cursor) }
  })
}

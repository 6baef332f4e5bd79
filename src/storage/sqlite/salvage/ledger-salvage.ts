import type { MissingRecords } from '../../../ledger/ledger.ts'
import type { Connection } from '../database/connection.ts'
import { isIndexed, ledgerNumbers, type NumbersQuery } from './ledger-numbers.ts'
import { LedgerRows, type StoredRow } from './ledger-row.ts'
import { MissingRun } from './missing-run.ts'

/** Records may be committed slightly out of order of receipt. */
const disorderMs = 10_000

interface SalvageQuery extends NumbersQuery {
  /** Readable rows at most; fewer only at the end. */
  limit: number
  /** Receipt from this instant and before that one, epoch milliseconds. */
  receivedFrom?: number | undefined
  receivedBefore?: number | undefined
  /**
   * Called with what is missing before the last row; if there are fewer than `limit`, also with what is missing after
   * it.
   */
  onMissing: (missing: MissingRecords) => void
}

/** An account's readable rows after a number, one by one, for use after a statement over many of them failed. */
export function salvagedRows(connection: Connection, query: SalvageQuery): StoredRow[] {
  const { accountRow, kinds, after, limit } = query
  const rows = new LedgerRows(connection)
  const read: StoredRow[] = []
  const missing = new MissingRun({
    tell: (missing) => {
      if (mayBeWithin(missing, query)) query.onMissing(missing)
    },
    idsWithin: (first, last) => (kinds.includes(1) ? rows.submissionIds(accountRow, first, last) : []),
    receivedAfter: rows.receivedAt(after),
  })
  for (const { sequence, isCertain } of ledgerNumbers(connection, query)) {
    const row = rows.at(sequence)
    if (typeof row === 'object' && row.accountRow === accountRow && kinds.includes(row.kind)) {
      missing.endBefore(row.receivedAt)
      if (isWithin(row, query)) read.push(row)
      if (read.length === limit) return read
    } else if (isCertain) missing.add(sequence, true)
    else if (row === 'damaged') {
      const isOurs = isIndexed(connection, query, sequence)
      if (isOurs !== false) missing.add(sequence, isOurs === true)
    }
  }
  missing.end()
  return read
}

/** The readable rows with these ascending numbers. */
export function salvagedAt(
  connection: Connection,
  numbers: readonly number[],
  onMissing: (missing: MissingRecords) => void,
): StoredRow[] {
  const rows = new LedgerRows(connection)
  const missing = new MissingRun({ tell: onMissing, idsWithin: () => [], receivedAfter: null })
  const read = numbers.flatMap((sequence) => {
    const row = rows.at(sequence)
    if (typeof row === 'object') missing.endBefore(row.receivedAt)
    else if (row === 'damaged') missing.add(sequence, true)
    return typeof row === 'object' ? [row] : []
  })
  missing.end()
  return read
}

const isWithin = ({ receivedAt }: StoredRow, { receivedFrom, receivedBefore }: SalvageQuery): boolean =>
  receivedAt >= (receivedFrom ?? Number.NEGATIVE_INFINITY) && receivedAt < (receivedBefore ?? Number.POSITIVE_INFINITY)

/** Whether missing records may have been received in the period, judging by their neighbours. */
function mayBeWithin(missing: MissingRecords, { receivedFrom, receivedBefore }: SalvageQuery): boolean {
  const latest = (missing.receivedBefore ?? Number.POSITIVE_INFINITY) + disorderMs
  const earliest = (missing.receivedAfter ?? Number.NEGATIVE_INFINITY) - disorderMs
  return latest >= (receivedFrom ?? Number.NEGATIVE_INFINITY) && earliest < (receivedBefore ?? Number.POSITIVE_INFINITY)
}

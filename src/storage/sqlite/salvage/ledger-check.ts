import { type LeftOut, UnreadableEntry } from '../../../ledger/ledger.ts'
import type { LedgerCheck } from '../../../operations/doctor/inspection.ts'
import type { Connection } from '../database/connection.ts'
import { isAsCaptured } from '../ledger/ledger-checksum.ts'
import { decodeEntry, type EntryRow, entryKinds } from '../ledger/ledger-codec.ts'
import { unlessDamaged } from './damage.ts'
import { ascending } from './ledger-numbers.ts'
import { salvagedRows } from './ledger-salvage.ts'

/** Rows held in memory at a time. */
const pageRows = 500
/** Faults that are described; the others are counted. */
const describedMax = 3

type Row = EntryRow & { sequence: number }

/** Reads every record of every account as an export would. Works on a connection that only reads. */
export async function checkLedger(reader: Connection): Promise<LedgerCheck> {
  const check: LedgerCheck = { sound: 0, unchecked: 0, leftOut: 0, described: [] }
  const accounts = reader.raw
    .query<Account, []>('SELECT row, id, handle FROM account WHERE removed_at IS NULL ORDER BY handle')
    .all()
  for (const account of accounts) {
    const tell = (leftOut: LeftOut): void => {
      check.leftOut += leftOut.fault === 'missing' ? (leftOut.count ?? 1) : 1
      if (check.described.length < describedMax) check.described.push({ handle: account.handle, leftOut })
    }
    for await (const row of everyRow(reader, account.row, tell)) checkRow(row, account.id, { check, tell })
  }
  return check
}

interface Account {
  row: number
  id: string
  handle: string
}

type Tell = (leftOut: LeftOut) => void

async function* everyRow(reader: Connection, accountRow: number, onMissing: Tell): AsyncGenerator<Row> {
  const page = reader.raw.query<Row, [number, number, number]>(
    `SELECT sequence, kind, id, received_at AS receivedAt, record, checksum FROM ledger
     WHERE account_row = ? AND kind = ? AND sequence > ? ORDER BY sequence LIMIT ${pageRows}`,
  )
  for (const kind of Object.values(entryKinds)) {
    for (let after = 0; ; ) {
      const salvage = { accountRow, kinds: [kind], after, limit: pageRows, onMissing }
      const rows: Row[] = unlessDamaged(
        () => ascending(page.all(accountRow, kind, after), after),
        () => salvagedRows(reader, salvage),
      )
      yield* rows
      if (rows.length < pageRows) break
      after = rows.at(-1)?.sequence ?? after
      await Bun.sleep(0)
    }
  }
}

function checkRow(row: Row, accountId: string, { check, tell }: { check: LedgerCheck; tell: Tell }): void {
  try {
    // What matches its checksum was an entry when it was captured, and need not be taken apart.
    if (row.checksum === null || !isAsCaptured(row, accountId)) decodeEntry(row, accountId)
    check.sound++
    if (row.checksum === null) check.unchecked++
  } catch (error) {
    if (!(error instanceof UnreadableEntry)) throw error
    tell(error)
  }
}

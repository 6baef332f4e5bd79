import type { LedgerCheck, RowCheck } from '../../../operations/doctor/inspection.ts'
import type { Connection } from '../database/connection.ts'
import { ascending } from '../database/damage.ts'
import { capturedKinds, decisionKinds, entryColumns, isAsCaptured, type StoredRow } from '../ledger/ledger-codec.ts'
import { pagesAfter } from '../lookup/pages.ts'

/** Rows in memory at a time. */
const pageRows = 500
/** Faults that are described; further ones are only counted. */
const describedMax = 3

interface Account {
  row: number
  id: string
  handle: string
  isRemoved: number
}

/** Compares every row of the ledger with its checksum. Works on a read-only connection. */
export async function checkLedger(reader: Connection): Promise<LedgerCheck> {
  const check: LedgerCheck = { records: nothingRead(), decisions: nothingRead() }
  const accounts = reader.raw
    .query<Account, []>('SELECT row, id, handle, removed_at IS NOT NULL AS isRemoved FROM account ORDER BY handle')
    .all()
  for (const account of accounts) {
    if (account.isRemoved === 0) await checkKinds(reader, { account, kinds: capturedKinds, check: check.records })
    await checkKinds(reader, { account, kinds: Object.values(decisionKinds), check: check.decisions })
  }
  return check
}

const nothingRead = (): RowCheck => ({ sound: 0, damaged: 0, described: [] })

async function checkKinds(
  { raw }: Connection,
  { account, kinds, check }: { account: Account; kinds: readonly number[]; check: RowCheck },
): Promise<void> {
  const page = raw.query<StoredRow, [number, number, number]>(
    `SELECT ${entryColumns} FROM ledger WHERE account_row = ? AND kind = ? AND sequence > ?
     ORDER BY sequence LIMIT ${pageRows}`,
  )
  for (const kind of kinds) {
    const read = (after: number) => ascending(page.all(account.row, kind, after), after)
    for (const rows of pagesAfter(0, read, ({ sequence }) => sequence)) {
      for (const row of rows) {
        if (isAsCaptured(row, account.id)) check.sound++
        else if (check.damaged++ < describedMax) check.described.push({ handle: account.handle, id: row.id })
      }
      await Bun.sleep(0)
    }
  }
}

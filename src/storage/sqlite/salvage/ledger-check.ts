import { type LeftOut, UnreadableEntry } from '../../../ledger/ledger.ts'
import type { LedgerCheck, RowCheck } from '../../../operations/doctor/inspection.ts'
import type { Connection } from '../database/connection.ts'
import { capturedKinds, decisionKinds, decodeLedgerEntry, type EntryRow, isAsCaptured } from '../ledger/ledger-codec.ts'
import { unlessDamaged } from './damage.ts'
import { ascending } from './ledger-numbers.ts'
import { salvagedRows } from './ledger-salvage.ts'

/** Rows in memory at a time. */
const pageRows = 500
/** Faults that are described; further ones are only counted. */
const describedMax = 3

type Row = EntryRow & { sequence: number }

/** Reads every row of the ledger as its users do. Works on a read-only connection. */
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

const nothingRead = (): RowCheck => ({ sound: 0, leftOut: 0, described: [] })

async function checkKinds(
  reader: Connection,
  { account, kinds, check }: { account: Account; kinds: readonly number[]; check: RowCheck },
): Promise<void> {
  const tell = (leftOut: LeftOut): void => {
    check.leftOut += leftOut.fault === 'missing' ? (leftOut.count ?? 1) : 1
    if (check.described.length < describedMax) check.described.push({ handle: account.handle, leftOut })
  }
  for (const kind of kinds) {
    for await (const row of everyRow(reader, { accountRow: account.row, kind }, tell)) {
      checkRow(row, account.id, { check, tell })
    }
  }
}

interface Account {
  row: number
  id: string
  handle: string
  isRemoved: number
}

type Tell = (leftOut: LeftOut) => void

async function* everyRow(
  reader: Connection,
  { accountRow, kind }: { accountRow: number; kind: number },
  onMissing: Tell,
): AsyncGenerator<Row> {
  const page = reader.raw.query<Row, [number, number, number]>(
    `SELECT sequence, kind, id, received_at AS receivedAt, record, checksum FROM ledger
     WHERE account_row = ? AND kind = ? AND sequence > ? ORDER BY sequence LIMIT ${pageRows}`,
  )
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

function checkRow(row: Row, accountId: string, { check, tell }: { check: RowCheck; tell: Tell }): void {
  try {
    // A row that matches its checksum was a valid entry when it was captured, so it need not be decoded.
    if (!isAsCaptured(row, accountId)) decodeLedgerEntry(row, accountId)
    check.sound++
  } catch (error) {
    if (!(error instanceof UnreadableEntry)) throw error
    tell(error)
  }
}

import type { Database } from 'bun:sqlite'
import { isRecordOf } from '../../../ledger/record-shape.ts'
import type { MissingRows } from '../../../operations/database/repair.ts'
import { unlessDamaged } from '../database/damage.ts'
import { checksumOf, type EntryRow, isAsCaptured, kindNames } from '../ledger/ledger-codec.ts'
import { ledgerBy } from '../lookup/ledger-tree.ts'
import { readableRows } from '../lookup/readable-rows.ts'

const gapsMax = 20
const idsMax = 20

/** The order in which rows of the ledger are read and written. */
const columns = ['sequence', 'account_row', 'kind', 'id', 'received_at', 'record', 'checksum']

interface Gap {
  /** Numbers of the nearest readable rows, and their receipt. */
  first: number
  last: number
  after: number | null
  before: number | null
}

export interface RepairedLedger {
  entries: number
  missing: MissingRows | null
  changed: string[]
}

/** Copies the entries of the ledger that are as they were captured. The accounts must be there. */
export function repairLedger(from: Database, to: Database, keepsChanged: boolean): RepairedLedger {
  const accounts = new Map(
    to
      .query<{ row: number; id: string }, []>('SELECT row, id FROM account')
      .all()
      .map(({ row, id }) => [row, id]),
  )
  const insert = to.query(`INSERT OR IGNORE INTO ledger (${columns.join(', ')}) VALUES (?, ?, ?, ?, ?, ?, ?)`)
  const gaps: Gap[] = []
  const changed: string[] = []
  const leftOut: string[] = []
  let entries = 0
  let last: { sequence: number; receivedAt: number } | null = null
  let open: Gap | null = null
  for (const read of readableRows(from, { name: 'ledger', columns })) {
    if (read === 'gap') {
      open = {
        first: last?.sequence ?? 0,
        last: Number.MAX_SAFE_INTEGER,
        after: last?.receivedAt ?? null,
        before: null,
      }
      gaps.push(open)
      continue
    }
    const [sequence, accountRow, kind, id, receivedAt, record] = read as [
      number,
      number,
      number,
      string,
      number,
      string,
    ]
    const row: EntryRow = { kind, id, receivedAt, record, checksum: read[6] as number }
    const accountId = accounts.get(accountRow)
    const isSound = accountId !== undefined && isAsCaptured(row, accountId)
    const isKept = !isSound && keepsChanged && accountId !== undefined && isRecord(row)
    if (!isSound && !isKept) {
      if (leftOut.length < idsMax) leftOut.push(String(id))
      continue
    }
    if (isKept) changed.push(id)
    const checksum = isKept ? checksumOf(row, accountId) : row.checksum
    entries += insert.run(sequence, accountRow, kind, id, receivedAt, record, checksum).changes
    last = { sequence, receivedAt }
    if (open !== null) Object.assign(open, { last: sequence, before: receivedAt })
    open = null
  }
  const rows = countOf(from)
  if (gaps.length === 0 && leftOut.length === 0 && (rows ?? entries) <= entries)
    return { entries, missing: null, changed }
  const ids = [...leftOut, ...gaps.slice(0, gapsMax).flatMap((gap) => submissionIds(from, gap))]
  const missing: MissingRows = {
    table: 'ledger',
    rows: rows === null ? null : rows - entries,
    between: gaps.slice(0, gapsMax).map(({ after, before }) => ({ after, before })),
    ids: ids.slice(0, idsMax),
  }
  return { entries, missing, changed }
}

/** Whether what a disk has changed still has the shape of such an entry. */
function isRecord({ kind, record }: EntryRow): boolean {
  const name = kindNames.get(kind)
  try {
    return name !== undefined && isRecordOf(name, JSON.parse(record))
  } catch {
    return false
  }
}

/** By an index; `null`: no index can be read either. */
const countOf = (raw: Database): number | null =>
  unlessDamaged(
    () => raw.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${ledgerBy.account}`).get()?.n ?? null,
    () => null,
  )

/** Ids of submissions by their index. */
const submissionIds = (raw: Database, { first, last }: Gap): string[] =>
  unlessDamaged(
    () =>
      raw
        .query<{ id: unknown }, [number, number]>(
          `SELECT id FROM ${ledgerBy.submissionId} WHERE kind = 1 AND sequence > ? AND sequence < ? LIMIT ${idsMax}`,
        )
        .all(first, last)
        .map(({ id }) => String(id)),
    () => [],
  )

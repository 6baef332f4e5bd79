import type { Database } from 'bun:sqlite'
import type { StateRows, StoredLedgerRow } from '../../../backup/format/increment-lines.ts'
import { type NumberedRow, numberedTable, storedRow } from '../lookup/numbered-rows.ts'

/** A line of a link's body. Those of tables and of the ledger are as in increments of backups (backup/format). */
export type LinkLine =
  | StateRows
  | { ledger: StoredLedgerRow[] }
  /** The ledger's numbers are given away up to here. */
  | { to: number }

export const encodeLink = (lines: readonly string[]): Uint8Array =>
  new Uint8Array(Bun.zstdCompressSync(lines.join('\n'), { level: 1 }))

/** The link of a new term has no body. */
export const decodeLink = (body: Uint8Array): LinkLine[] =>
  body.length === 0
    ? []
    : Buffer.from(Bun.zstdDecompressSync(body))
        .toString()
        .split('\n')
        .map((line) => JSON.parse(line) as LinkLine)

export const linkLine = (line: LinkLine): string => JSON.stringify(line)

/** Marked rows as lines, a line for each run of consecutive numbers that are all there, or all gone. */
export function* markedRows(raw: Database, table: string, numbers: readonly number[]): Generator<StateRows> {
  const { columns, row } = numberedTable(raw, table)
  let run: StateRows | null = null
  for (const number of numbers) {
    const found = row(number)
    const isNext: boolean = run !== null && run.last + 1 === number && run.rows.length > 0 === (found !== null)
    if (run === null || !isNext || run.rows.length >= rowsPerLine) {
      if (run !== null) yield run
      run = { table, columns, first: number, last: number, rows: [] }
    }
    run.last = number
    if (found !== null) run.rows.push(storedRow(found as NumberedRow))
  }
  if (run !== null) yield run
}

/** A row of the outbox may have a hundred kilobytes. */
const rowsPerLine = 16

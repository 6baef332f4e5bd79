import { inChunks } from './chunks.ts'

/** A column of a table. */
export interface Column<Row> {
  header: string
  cell(row: Row): string
}

/** What a spreadsheet takes for the beginning of a formula (contract section 5). */
const formulaStart = /^[=+\-@\t\r]/
const plainNumber = /^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$/
/** `+` and 7 to 15 digits (ITU-T E.164), set apart as people write them. */
const phoneNumber = /^\+(?:[ ()./-]*\d){7,15}[ ()./-]*$/
/** A cell with any of these is quoted (RFC 4180 section 2, rules 6 and 7). */
const quotable = /[",\r\n]/

/** The rows as CSV (RFC 4180): a header line, CRLF, in chunks of bounded size. No cell of it is a formula. */
export const csvChunks = <Row>(columns: Column<Row>[], rows: AsyncIterable<Row>): AsyncIterable<string> =>
  inChunks(lines(columns, rows))

async function* lines<Row>(columns: Column<Row>[], rows: AsyncIterable<Row>): AsyncGenerator<string> {
  yield csvLine(columns.map((column) => column.header))
  for await (const row of rows) yield csvLine(columns.map((column) => column.cell(row)))
}

/** One line, each cell made harmless and quoted where it has to be. */
export const csvLine = (cells: string[]): string => `${cells.map((cell) => quoted(formulaSafe(cell))).join(',')}\r\n`

/** The cell with a leading `'` where a spreadsheet would otherwise run it; plain and phone numbers stay as they are. */
export const formulaSafe = (cell: string): string =>
  formulaStart.test(cell) && !plainNumber.test(cell) && !phoneNumber.test(cell) ? `'${cell}` : cell

const quoted = (cell: string): string => (quotable.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

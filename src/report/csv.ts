import { type Static, type TObject, type TSchema, TypeGuard } from '@sinclair/typebox'
import type { JsonObject, JsonValue } from '../lib/json-value.ts'
import { inChunks, jsonText } from './json-text.ts'

/** A column of a table. */
export interface Column<Row> {
  header: string
  cell(row: Row): string
}

/** A column for each of these members, under its name; empty where a row has none. */
export const fields = <Row>(...names: readonly (keyof Row & string)[]): Column<Row>[] =>
  names.map((name) => ({ header: name, cell: (row) => cellText((row[name] ?? null) as JsonValue) }))

/** The same of members of a member, under both names: `source.ip`. */
export const columnsWithin = <Of extends string>(
  of: Of,
  names: readonly string[],
): Column<Record<Of, object | null>>[] =>
  names.map((name) => ({
    header: `${of}.${name}`,
    cell: (row) => cellText((row[of] as JsonObject | null)?.[name] ?? null),
  }))

/**
 * The columns of a record: one for each member, one for each member of an object with declared members, or the given
 * ones. A value of any other shape is JSON.
 */
export function columnsOf<T extends TObject>(
  { properties }: T,
  given: { [Name in keyof Static<T>]?: Column<Pick<Static<T>, Name>>[] } = {},
): Column<Static<T>>[] {
  const own: Record<string, Column<never>[] | undefined> = given
  const columns = Object.entries(properties).flatMap(([name, member]): Column<never>[] => {
    const members = membersOf(member)
    return own[name] ?? (members === null ? fields<Record<string, unknown>>(name) : columnsWithin(name, members))
  })
  return columns
}

/** `null`: the members are not declared. */
function membersOf(schema: TSchema): string[] | null {
  const object = TypeGuard.IsUnion(schema) ? schema.anyOf.find(TypeGuard.IsObject) : schema
  return object !== undefined && TypeGuard.IsObject(object) ? Object.keys(object.properties) : null
}

/** Characters that start a formula in a spreadsheet (docs/exports.md). */
const formulaStart = /^[=+\-@\t\r]/
const plainNumber = /^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$/
/** `+` and 7 to 15 digits (ITU-T E.164), with the separators that people write. */
const phoneNumber = /^\+(?:[ ()./-]*\d){7,15}[ ()./-]*$/
/** A cell with any of these, or with the separator, is quoted (RFC 4180 section 2, rules 6 and 7). */
const quotable = /["\r\n]/
/** Excel recognises UTF-8 by this mark (Unicode 17, section 23.8). */
const byteOrderMark = '\uFEFF'

/** Options on which programs that read CSV disagree. */
export interface CsvDialect {
  separator: ',' | ';' | '\t'
  /** Whether the text begins with a byte order mark. */
  isMarked: boolean
}

/** As RFC 4180 has it. */
export const plainCsv: CsvDialect = { separator: ',', isMarked: false }

/** The rows as CSV (RFC 4180): a header line, CRLF, in chunks of bounded size. No cell is a formula. */
export const csvChunks = <Row>(
  columns: Column<Row>[],
  rows: AsyncIterable<Row>,
  dialect: CsvDialect = plainCsv,
): AsyncIterable<string> => inChunks(lines(columns, rows, dialect))

async function* lines<Row>(
  columns: Column<Row>[],
  rows: AsyncIterable<Row>,
  { separator, isMarked }: CsvDialect,
): AsyncGenerator<string> {
  const headers = columns.map((column) => column.header)
  yield (isMarked ? byteOrderMark : '') + csvLine(headers, separator)
  for await (const row of rows) {
    const cells = columns.map((column) => column.cell(row))
    yield csvLine(cells, separator)
  }
}

/** One line, with each cell made harmless and quoted if necessary. */
export const csvLine = (cells: string[], separator: CsvDialect['separator'] = ','): string =>
  `${cells.map((cell) => quoted(formulaSafe(cell), separator)).join(separator)}\r\n`

/** The cell with a leading `'` where a spreadsheet would otherwise run it; plain and phone numbers stay as they are. */
export const formulaSafe = (cell: string): string =>
  formulaStart.test(cell) && !plainNumber.test(cell) && !phoneNumber.test(cell) ? `'${cell}` : cell

const quoted = (cell: string, separator: string): string =>
  quotable.test(cell) || cell.includes(separator) ? `"${cell.replaceAll('"', '""')}"` : cell

/** A value as a cell: empty for `null`, text unchanged, a number with the digits that were sent, anything else as JSON. */
export function cellText(value: JsonValue): string {
  if (value === null) return ''
  return typeof value === 'string' ? value : jsonText(value)
}

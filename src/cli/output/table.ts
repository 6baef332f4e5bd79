import { plain, type Style, type Tone } from './style.ts'
import { cellLines, hung, leastColumns, printable, shortened } from './text.ts'

export type Cell = string | number | null | { text: string; tone: Tone }

export interface TextTable {
  headers: string[]
  rows: Cell[][]
  /** The sentence shown instead of a table without rows. */
  empty: string
  /** Headers of columns that are never wrapped, such as ids. */
  whole?: string[]
}

const gap = '  '
/** Limits the width of a cell; longer texts end in `…`. `--json` has whole values. */
const cellColumnsMax = 100

/**
 * Aligns the rows under their headers by display width, texts to the left and number columns to the right. Control characters are
 * escaped. In a narrow terminal texts wrap; if that is not enough, each row becomes a block with a line per cell.
 */
export function tableText(table: TextTable, style: Style = plain, terminalColumns?: number): string {
  if (table.rows.length === 0) return `${printable(table.empty)}\n`
  return fittingTable(table, style, terminalColumns) ?? blocks(table, style, terminalColumns)
}

/** The rows under their headers; `null`: the terminal is too narrow for that. */
export function fittingTable(
  { headers, rows, whole = [] }: TextTable,
  style: Style,
  terminalColumns?: number,
): string | null {
  const columns = headers.map((header, index) =>
    columnOf(
      header,
      rows.map((row) => row[index] ?? null),
      whole,
    ),
  )
  if (terminalColumns !== undefined && !narrowed(columns, terminalColumns)) return null
  const head = headers.map((header) => ({ text: header, tone: 'heading' as const }))
  return [head, ...rows].map((cells) => rowText(columns, cells, style)).join('')
}

/** The display width of a text's longest line. */
export const widthOf = (text: string): number =>
  text.split('\n').reduce((widest, line) => Math.max(widest, Bun.stringWidth(line)), 0)

interface Column {
  width: number
  /** A narrower column would break a word. */
  least: number
  isNumeric: boolean
}

function columnOf(header: string, cells: Cell[], whole: string[]): Column {
  const isNumeric = cells.some(isNumber) && cells.every((cell) => cell === null || isNumber(cell))
  const texts = [header, ...cells.map(shown)]
  const width = widest(texts.map((text) => Bun.stringWidth(text)))
  return { width, least: isNumeric || whole.includes(header) ? width : widest(texts.map(leastColumns)), isNumeric }
}

const widest = (widths: number[]): number => widths.reduce((most, width) => Math.max(most, width), 0)

/** Shrinks the widest column first; `false`: the columns cannot shrink enough. */
function narrowed(columns: Column[], terminalColumns: number): boolean {
  const width = columns.reduce((sum, column) => sum + column.width, gap.length * (columns.length - 1))
  for (let excess = width - terminalColumns; excess > 0; excess--) {
    const [first] = columns
      .filter((column) => column.width > column.least)
      .sort((one, other) => other.width - one.width)
    if (first === undefined) return false
    first.width--
  }
  return true
}

const isNumber = (cell: Cell): boolean => typeof cell === 'number'

function rowText(columns: Column[], cells: Cell[], style: Style): string {
  const lines = columns.map((column, index) => cellLines(shown(cells[index] ?? null), column.width))
  const height = widest(lines.map(({ length }) => length))
  return Array.from({ length: height }, (_, line) => {
    const parts = columns.map((column, index) =>
      aligned(column, lines[index]?.[line] ?? '', toned(cells[index], style)),
    )
    return `${parts.join(gap).trimEnd()}\n`
  }).join('')
}

function aligned({ width, isNumeric }: Column, text: string, dress: (text: string) => string): string {
  const padding = ' '.repeat(Math.max(0, width - Bun.stringWidth(text)))
  const dressed = text === '' ? '' : dress(text)
  return isNumeric ? padding + dressed : dressed + padding
}

const toned =
  (cell: Cell | undefined, style: Style) =>
  (text: string): string =>
    typeof cell === 'object' && cell !== null ? style(cell.tone, text) : text

/** A blank line stands between two rows. */
function blocks({ headers, rows }: TextTable, style: Style, terminalColumns?: number): string {
  const width = widest(headers.map((header) => Bun.stringWidth(header)))
  const block = (cells: Cell[]) =>
    headers
      .map((header, index) => [header, cells[index] ?? null] as const)
      .filter(([, cell]) => shown(cell) !== '')
      .map(([header, cell]) => {
        const label = header + ' '.repeat(width - Bun.stringWidth(header)) + gap
        return `${style('heading', header)}${hung(label, shown(cell), terminalColumns).slice(header.length)}\n`
      })
      .join('')
  return rows.map(block).join('\n')
}

function shown(cell: Cell): string {
  if (cell === null) return ''
  return shortened(printable(typeof cell === 'object' ? cell.text : String(cell)), cellColumnsMax)
}

import { printable } from './printable.ts'
import { plain, type Style, type Tone } from './style.ts'

/** A cell: a text, a number, nothing, or a text that says how it is meant. */
export type Cell = string | number | null | { text: string; tone: Tone }

export interface Table {
  headers: string[]
  rows: Cell[][]
  /** The sentence that stands for a table without rows. */
  empty: string
  /** Headers of texts that are of no use when they are cut: an id. */
  whole?: string[]
}

const gap = '  '
/** Columns of a terminal that one cell takes at most; what is longer ends in `…`. Whole values are what `--json` is for. */
const cellColumnsMax = 100
/** To which texts are cut where a terminal is too narrow for all of them; below that nothing could be told from them. */
const cutColumnsMin = 12

/**
 * Aligns the rows under their headers: texts to the left, columns of nothing but numbers to the right, by the width
 * that a terminal gives each character. Whatever could steer the terminal is written out. Of a table that is wider than
 * the terminal, texts are cut, the longest first; it may be too wide all the same.
 */
export function tableText(table: Table, style: Style = plain, terminalColumns?: number): string {
  const { headers, rows, empty } = table
  if (rows.length === 0) return `${empty}\n`
  const columns = headers.map((_, index) => columnOf(table, index))
  if (terminalColumns !== undefined) narrow(columns, terminalColumns)
  const head = columns.map((column, index) => aligned(column, { text: headers[index] ?? '', tone: 'heading' }, style))
  const body = rows.map((row) => columns.map((column, index) => aligned(column, row[index] ?? null, style)))
  return [head, ...body].map((cells) => `${cells.join(gap).trimEnd()}\n`).join('')
}

/** Columns of a terminal that the longest line of a text takes. */
export const widthOf = (text: string): number =>
  text.split('\n').reduce((widest, line) => Math.max(widest, Bun.stringWidth(line)), 0)

interface Column {
  width: number
  isNumeric: boolean
  mayBeCut: boolean
}

function columnOf({ headers, rows, whole = [] }: Table, index: number): Column {
  const header = headers[index] ?? ''
  const cells = rows.map((row) => row[index] ?? null)
  const widths = cells.map((cell) => Bun.stringWidth(shown(cell)))
  const isNumeric = cells.some(isNumber) && cells.every((cell) => cell === null || isNumber(cell))
  return {
    width: widths.reduce((widest, width) => Math.max(widest, width), Bun.stringWidth(shown(header))),
    isNumeric,
    mayBeCut: !isNumeric && !whole.includes(header),
  }
}

function narrow(columns: Column[], terminalColumns: number): void {
  const width = columns.reduce((sum, column) => sum + column.width, gap.length * (columns.length - 1))
  for (let excess = width - terminalColumns; excess > 0; excess--) {
    const cuttable = columns.filter((column) => column.mayBeCut && column.width > cutColumnsMin)
    const [longest] = cuttable.sort((one, other) => other.width - one.width)
    if (longest === undefined) return
    longest.width--
  }
}

const isNumber = (cell: Cell): boolean => typeof cell === 'number'

function aligned({ width, isNumeric }: Column, cell: Cell, style: Style): string {
  const text = shown(cell, width)
  const padding = ' '.repeat(Math.max(0, width - Bun.stringWidth(text)))
  const dressed = typeof cell === 'object' && cell !== null ? style(cell.tone, text) : text
  return isNumeric ? padding + dressed : dressed + padding
}

function shown(cell: Cell, columnsMax = cellColumnsMax): string {
  if (cell === null) return ''
  return shortened(printable(typeof cell === 'object' ? cell.text : String(cell)), columnsMax)
}

/** The text, or as much of it as fits before a `…`. */
export function shortened(text: string, columnsMax: number): string {
  if (Bun.stringWidth(text) <= columnsMax) return text
  let kept = ''
  let width = 1
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    width += Bun.stringWidth(segment)
    if (width > columnsMax) break
    kept += segment
  }
  return `${kept}…`
}

import { printable } from './printable.ts'
import { plain, type Style, type Tone } from './style.ts'

/** A cell: a text, a number, nothing, or a text that says how it is meant. */
export type Cell = string | number | null | { text: string; tone: Tone }

export interface Table {
  headers: string[]
  rows: Cell[][]
  /** The sentence that stands for a table without rows. */
  empty: string
}

const gap = '  '
/** Columns of a terminal that one cell takes at most; what is longer ends in `…`. Whole values are what `--json` is for. */
const cellColumnsMax = 100

/**
 * Aligns the rows under their headers: texts to the left, columns of nothing but numbers to the right, by the width
 * that a terminal gives each character. Whatever could steer the terminal is written out.
 */
export function tableText({ headers, rows, empty }: Table, style: Style = plain): string {
  if (rows.length === 0) return `${empty}\n`
  const columns = headers.map((header, index) => columnOf(header, rows, index))
  const head = columns.map((column, index) => aligned(column, { text: headers[index] ?? '', tone: 'heading' }, style))
  const body = rows.map((row) => columns.map((column, index) => aligned(column, row[index] ?? null, style)))
  return [head, ...body].map((cells) => `${cells.join(gap).trimEnd()}\n`).join('')
}

interface Column {
  width: number
  isNumeric: boolean
}

function columnOf(header: string, rows: Cell[][], index: number): Column {
  const cells = rows.map((row) => row[index] ?? null)
  const widths = cells.map((cell) => Bun.stringWidth(shown(cell)))
  return {
    width: widths.reduce((widest, width) => Math.max(widest, width), Bun.stringWidth(shown(header))),
    isNumeric: cells.some(isNumber) && cells.every((cell) => cell === null || isNumber(cell)),
  }
}

const isNumber = (cell: Cell): boolean => typeof cell === 'number'

function aligned({ width, isNumeric }: Column, cell: Cell, style: Style): string {
  const text = shown(cell)
  const padding = ' '.repeat(Math.max(0, width - Bun.stringWidth(text)))
  const dressed = typeof cell === 'object' && cell !== null ? style(cell.tone, text) : text
  return isNumeric ? padding + dressed : dressed + padding
}

function shown(cell: Cell): string {
  if (cell === null) return ''
  const text = printable(typeof cell === 'object' ? cell.text : String(cell))
  return Bun.stringWidth(text) > cellColumnsMax ? cut(text) : text
}

function cut(text: string): string {
  let kept = ''
  let width = 1
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    width += Bun.stringWidth(segment)
    if (width > cellColumnsMax) break
    kept += segment
  }
  return `${kept}…`
}

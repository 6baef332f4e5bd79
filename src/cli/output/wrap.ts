/** A word, or what stands in backticks and is to be copied as a whole, with the space behind it. */
const word = /(?:`[^`\n]*`|\S)+\s*/g
/** In a narrow column an address may end behind one of these, too. */
const addressPart = /[^/,;?&]*[/,;?&]*\s*/g

/**
 * The lines of a text, of as many columns as there are at most; only a word that is longer than a line exceeds it. Lines
 * that the text has already stay apart, each with its indentation. Absent `columns`: nobody looks, and nothing is broken.
 */
export function wrappedLines(text: string, columns: number | undefined): string[] {
  const lines = text.split('\n')
  if (columns === undefined) return lines
  return lines.flatMap((line) => {
    const indent = /^ */.exec(line)?.[0] ?? ''
    const folded = fold(line.slice(indent.length).match(word) ?? [], Math.max(1, columns - indent.length))
    return folded.map((part) => indent + part)
  })
}

/** The text behind a prefix, its further lines below where it begins. */
export function hung(prefix: string, text: string, columns: number | undefined): string {
  const width = Bun.stringWidth(prefix)
  const room = columns === undefined ? undefined : Math.max(1, columns - width)
  return prefix + wrappedLines(text, room).join(`\n${' '.repeat(width)}`)
}

/** The lines of a cell in a column of the given width. */
export const cellLines = (text: string, columns: number): string[] =>
  Bun.stringWidth(text) <= columns ? [text] : fold(cellPieces(text), columns)

/** Columns that a cell needs at least, so that nothing in it is broken in the middle. */
export const leastColumns = (text: string): number =>
  cellPieces(text).reduce((most, piece) => Math.max(most, Bun.stringWidth(piece.trimEnd())), 0)

const cellPieces = (text: string): string[] =>
  (text.match(word) ?? []).flatMap((found) =>
    found.startsWith('`') ? [found] : (found.match(addressPart) ?? []).filter((part) => part !== ''),
  )

function fold(pieces: readonly string[], columns: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const piece of pieces) {
    if (line !== '' && Bun.stringWidth((line + piece).trimEnd()) > columns) {
      lines.push(line.trimEnd())
      line = ''
    }
    line += piece
  }
  return [...lines, line.trimEnd()]
}

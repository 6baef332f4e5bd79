/**
 * Characters that steer a terminal or mislead its reader instead of being shown: control characters of both sets,
 * line and paragraph separators, and those that turn the direction of the text around them (Unicode 17, Bidi_Control).
 */
const steering = /[\p{Cc}\u2028\u2029\p{Bidi_Control}]/gu
const steeringButLines = /(?!\n)[\p{Cc}\u2028\u2029\p{Bidi_Control}]/gu

/**
 * The text with every character that could steer a terminal written out as `\u001b`, since captured data comes from
 * strangers. `lines` leaves line feeds as they are.
 */
export const printable = (text: string, keep: 'nothing' | 'lines' = 'nothing'): string =>
  text.replace(keep === 'lines' ? steeringButLines : steering, escaped)

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** A word, or a text in backticks to be copied as a whole, with the following space. */
const word = /(?:`[^`\n]*`|\S)+\s*/g
/** Characters after which an address may also be broken in a narrow column. */
const addressPart = /[^/,;?&]*[/,;?&]*\s*/g

/**
 * Wraps a text to the given columns; only a word longer than a line exceeds them. Existing lines keep their indentation. Without
 * `columns` nothing is wrapped.
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

/** The text after a prefix, with further lines aligned below its beginning. */
export function hung(prefix: string, text: string, columns: number | undefined): string {
  const width = Bun.stringWidth(prefix)
  const room = columns === undefined ? undefined : Math.max(1, columns - width)
  return prefix + wrappedLines(text, room).join(`\n${' '.repeat(width)}`)
}

/** The text cut to the given columns, with an ellipsis where something is missing. */
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

export const cellLines = (text: string, columns: number): string[] =>
  Bun.stringWidth(text) <= columns ? [text] : fold(cellPieces(text), columns)

/** The minimum width of a cell that does not break a word. */
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

export type Labelled = [label: string, text: string]

/** The width of aligned labels; longer labels stick out. */
const labelColumnsMax = 32

/**
 * Labels with aligned texts. Nothing is cut: in a narrow terminal a text wraps below its beginning. Control characters are
 * escaped.
 */
export function labelledLines(lines: Labelled[], terminalColumns?: number): string {
  const labels = lines.map(([label]) => printable(label))
  const width = Math.min(labelColumnsMax, Math.max(...labels.map((label) => Bun.stringWidth(label))))
  return lines
    .map(([, text], index) => {
      const label = labels[index] ?? ''
      const padding = ' '.repeat(Math.max(0, width - Bun.stringWidth(label)))
      return `${hung(`  ${label}${padding}  `, printable(text), terminalColumns)}\n`
    })
    .join('')
}

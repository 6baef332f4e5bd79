import { printable } from './printable.ts'
import { hung } from './wrap.ts'

/** A label and its text. */
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

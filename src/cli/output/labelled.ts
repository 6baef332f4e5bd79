import { printable } from './printable.ts'
import { hung } from './wrap.ts'

/** A label and what stands behind it. */
export type Labelled = [label: string, text: string]

/** Columns that texts are aligned behind; a longer label stands out. */
const labelColumnsMax = 32

/**
 * Labels with their texts aligned behind them. Nothing is cut; where the terminal is too narrow a text goes on below
 * itself. What could steer a terminal is written out.
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

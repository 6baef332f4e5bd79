import { printable } from './printable.ts'

/** A label and what stands behind it. */
export type Labelled = [label: string, text: string]

/** Columns that texts are aligned behind; a longer label stands out. */
const labelColumnsMax = 32

/** Labels with their texts aligned behind them, a line each. Nothing is cut; what could steer a terminal is written out. */
export function labelledLines(lines: Labelled[]): string {
  const labels = lines.map(([label]) => printable(label))
  const width = Math.min(labelColumnsMax, Math.max(...labels.map((label) => Bun.stringWidth(label))))
  return lines
    .map(([, text], index) => {
      const label = labels[index] ?? ''
      return `  ${label}${' '.repeat(Math.max(0, width - Bun.stringWidth(label)))}  ${printable(text)}\n`
    })
    .join('')
}

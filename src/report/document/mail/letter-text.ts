import { count } from '../../../lib/quantities.ts'
import type { KeyFigure } from '../key-figures.ts'
import { keptOutTexts } from '../notes.ts'
import type { ReportView } from '../report-view.ts'
import { type LetterList, letterLists } from './letter-lists.ts'

/** Width of the column of names; longer names push their figures to the right. */
const nameColumns = 32

/** The plain text of a report's mail. */
export function letterText(view: ReportView): string {
  const { account, title, dates, summary, notes, keyFigures, isExample, beforeInWords, madeOn } = view
  const parts = [
    `${account}\n${title}\n${dates}`,
    ...(isExample ? ['This is an example, sent to test this destination.'] : []),
    summary,
    ...notes,
    keyFigures.map((figure) => keyFigureLine(figure, beforeInWords)).join('\n'),
    ...letterLists(view).map(listText),
    ...keptOut(view),
    `${'-'.repeat(40)}\nMade by Capture on ${madeOn}. Conversion is the number of leads per hundred visits; bots that identify themselves do not count.`,
  ]
  return `${parts.join('\n\n')}\n`
}

function keyFigureLine({ label, value, comparison, missing }: KeyFigure, when: string): string {
  const begin = `${`${label}:`.padEnd(15)}${value}`
  if (comparison !== null) return `${begin}, ${comparison.words} (${comparison.beforeText} ${when})`
  return missing === null ? begin : `${begin} ${missing}`
}

function listText({ title, headings: marked, rows, remarks }: LetterList): string {
  const headings = marked.map(plain)
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map(({ figures }) => count(figures[column] ?? 0).length)),
  )
  const line = (name: string, cells: string[]): string =>
    [name.padEnd(nameColumns), ...cells.map((cell, column) => cell.padStart(widths[column] ?? 0))].join('  ').trimEnd()
  return [
    line(title, headings),
    ...rows.map(({ name, figures }) => line(`  ${name}`, figures.map(count))),
    ...remarks.map((remark) => `  ${remark}`),
  ].join('\n')
}

/** Without the characters that prevent line breaks in HTML. */
const plain = (heading: string): string => heading.replaceAll('\u00a0', ' ').replaceAll('\u2060', '')

function keptOut(view: ReportView): string[] {
  const lines = keptOutTexts(view)
  return lines.length === 0 ? [] : [['What was kept out', ...lines.map((line) => `- ${line}`)].join('\n')]
}

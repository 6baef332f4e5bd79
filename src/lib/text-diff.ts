import { structuredPatch } from 'diff'

/** More changed lines than this make another text. It also bounds the search for a diff, to about 25 ms. */
const changedLinesMax = 200
const linesMax = 40
const lineCharactersMax = 200
/** Shown of a long line before the place where it differs. */
const charactersBefore = 40

/**
 * What changed between two texts, in the lines of a unified diff without its header, as short as people read it. `null`: too much
 * changed for that, or line ends alone.
 */
export function textDiff(before: string, after: string): string | null {
  const options = { context: 2, maxEditLength: changedLinesMax, stripTrailingCr: true }
  const hunks = structuredPatch('', '', ended(before), ended(after), undefined, undefined, options)?.hunks ?? []
  if (hunks.length === 0) return null
  const lines = hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
    ...lines.map((line, at) => shortened(line, partnerOf(lines, at))),
  ])
  const more = lines.length > linesMax ? [`… ${lines.length - linesMax} more lines`] : []
  return [...lines.slice(0, linesMax), ...more].join('\n')
}

/** The lines of a text that it did not have before, counted from one; none if too much changed. */
export function changedLines(before: string, after: string): number[] {
  const options = { context: 0, maxEditLength: changedLinesMax }
  const hunks = structuredPatch('', '', ended(before), ended(after), undefined, undefined, options)?.hunks ?? []
  return hunks.flatMap(({ newStart, newLines }) => Array.from({ length: newLines }, (_, at) => newStart + at))
}

/**
 * Two changes of one text as one; `null`: they concern the same lines or neighbours, or are too much. Each change stays at the lines
 * that it was made at: the parts of a site look alike. The lines end in LF.
 */
export function mergedTexts({ before, one, other }: Record<'before' | 'one' | 'other', string>): string | null {
  const from = inLf(before)
  const options = { context: 0, maxEditLength: changedLinesMax }
  const [ones, others] = [one, other].map(
    (text) => structuredPatch('', '', from, inLf(text), undefined, undefined, options)?.hunks,
  )
  if (!ones || !others) return null
  const lines = from.split('\n')
  let begun = Number.POSITIVE_INFINITY
  for (const hunk of [...ones, ...others].sort((first, second) => second.oldStart - first.oldStart)) {
    const { oldStart, oldLines } = hunk
    if (oldStart + oldLines >= begun) return null
    begun = oldStart
    const added = hunk.lines.filter((line) => line.startsWith('+')).map((line) => line.slice(1))
    lines.splice(oldStart - 1, oldLines, ...added)
  }
  return lines.join('\n')
}

const inLf = (text: string): string => ended(text.replaceAll('\r\n', '\n'))

const ended = (text: string): string => (text.endsWith('\n') ? text : `${text}\n`)

/** The line that took the place of a removed one, or the other way round; a space where there is none. */
function partnerOf(lines: readonly string[], at: number): string {
  const sign = lines[at]?.[0]
  const isRemoved = sign === '-'
  if (!isRemoved && sign !== '+') return ' '
  const start = lines.findLastIndex((line, index) => index < at && line[0] !== sign) + 1
  const end = lines.findIndex((line, index) => index > at && line[0] !== sign)
  const others = isRemoved ? end : lines.findLastIndex((line, index) => index < start && line[0] !== '-') + 1
  const partner = lines[others + at - start]
  return partner?.[0] === (isRemoved ? '+' : '-') ? partner : ' '
}

/** A long line from shortly before the place where it differs from its partner, since pages may be one line. */
function shortened(line: string, partner: string): string {
  if (line.length <= lineCharactersMax) return line
  let same = 1
  while (same < line.length && line[same] === partner[same]) same++
  const from = same === line.length ? 1 : Math.max(1, same - charactersBefore)
  const text = line.slice(from, from + lineCharactersMax)
  return `${line[0]}${from > 1 ? '…' : ''}${text}${from + text.length < line.length ? '…' : ''}`
}

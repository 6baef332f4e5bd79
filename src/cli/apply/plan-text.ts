import { plural } from '../../lib/quantities.ts'
import type { AppliedFolder } from '../../operations/apply/apply-folder.ts'
import type { Change, FieldChange } from '../../site/change.ts'
import type { Layout, Tone } from '../output/style.ts'
import { hung, printable, shortened } from '../output/text.ts'

/** A plan as people read it: a line that sums it up, and each change with its values before and after. */
export function planText(applied: AppliedFolder, outcome: string | null, layout: Layout): string {
  const lines = applied.changes.flatMap((change) => changeLines(change, layout))
  return summaryText(applied, outcome, layout) + lines.map((line) => `${line}\n`).join('')
}

/** The line alone that sums a plan up. */
export const summaryText = (applied: AppliedFolder, outcome: string | null, { style }: Layout): string =>
  `${style('heading', printable(`${planSummary(applied)}${outcome === null ? '' : `; ${outcome}`}.`))}\n`

const words = { create: 'new', update: 'changed', delete: 'removed' } as const

/** `acme: 3 changes (1 new, 2 changed), 1 warning, harm in 2 ways` */
function planSummary({ account, changes, warnings, harm }: AppliedFolder): string {
  const counts = Object.entries(words).flatMap(([action, word]) => {
    const { length } = changes.filter((change) => change.action === action)
    return length > 0 ? [`${length} ${word}`] : []
  })
  const parts = [
    changes.length === 0 ? 'nothing to change' : `${plural(changes.length, 'change')} (${counts.join(', ')})`,
    ...(warnings.length > 0 ? [plural(warnings.length, 'warning')] : []),
    ...(harm.length > 0 ? [`harm in ${plural(new Set(harm.map(({ kind }) => kind)).size, 'way')}`] : []),
  ]
  return `${account}: ${parts.join(', ')}`
}

const signs = {
  create: { sign: '+', tone: 'good' },
  update: { sign: '~', tone: 'doubtful' },
  delete: { sign: '-', tone: 'bad' },
} as const satisfies Record<Change['action'], { sign: string; tone: Tone }>

/** Fields shown of one change; `--json` has more. */
const fieldsShown = 20

function changeLines({ action, kind, name, note, fields }: Change, layout: Layout): string[] {
  const { sign, tone } = signs[action]
  const what = printable(`${kind.replace('_', ' ')} ${name}${note === null ? '' : ` (${note})`}`)
  const more = fields.length - fieldsShown
  return [
    `  ${layout.style(tone, sign)} ${hung('    ', what, layout.columns).trimStart()}`,
    ...fields.slice(0, fieldsShown).flatMap((field) => fieldLines(field, layout)),
    ...(more > 0 ? [`      … and ${more} more`] : []),
  ]
}

const indent = '      '
/** Columns shown of one value; `--json` has more. */
const valueColumnsMax = 200
/** Lines shown of one diff; `--json` has more. */
const diffLinesShown = 12

function fieldLines({ field, before, after, diff }: FieldChange, layout: Layout): string[] {
  const name = `${indent}${printable(field)}:`
  if (diff === undefined) return valueLines(name, oneLine(before), oneLine(after), layout)
  const isWhole = before?.includes('\n') || after?.includes('\n')
  const head = isWhole ? [name] : valueLines(name, before, after, layout)
  return [...head, ...diffLines(diff, layout)]
}

const oneLine = (text: string | null): string | null => text && printable(text.replaceAll('\n', ' '))

/** On one line where that fits, and else each value on lines of its own. */
function valueLines(name: string, before: string | null, after: string | null, { style, columns }: Layout): string[] {
  const was = before === null ? null : shortened(before, valueColumnsMax)
  const is = after === null ? null : shortened(after, valueColumnsMax)
  const line =
    was !== null && is !== null ? `${name} ${was} → ${is}` : `${name} ${is === null ? `- ${was}` : `+ ${is}`}`
  if (columns === undefined || Bun.stringWidth(line) <= columns) return [line]
  const below = (sign: string, tone: Tone, value: string | null): string[] =>
    value === null
      ? []
      : hung(`${indent}  ${sign} `, value, columns)
          .split('\n')
          .map((part) => style(tone, shortened(part, columns)))
  return [name, ...below('-', 'bad', was), ...below('+', 'good', is)]
}

const tones: Readonly<Record<string, Tone>> = { '+': 'good', '-': 'bad', '@': 'dim' }

function diffLines(diff: string, { style, columns = valueColumnsMax }: Layout): string[] {
  const lines = diff.split('\n')
  const more = lines.length - diffLinesShown
  return [
    ...lines.slice(0, diffLinesShown).map((line) => {
      const text = shortened(`${indent}  ${printable(line)}`, columns)
      const tone = tones[line[0] ?? '']
      return tone === undefined ? text : style(tone, text)
    }),
    ...(more > 0 ? [`${indent}  … ${more} more lines`] : []),
  ]
}

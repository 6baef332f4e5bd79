import { plural } from '../../lib/quantities.ts'
import type { PersistRecord } from '../../operations/domain/persist-record.ts'
import { printable } from '../output/printable.ts'

/** They differ by the name alone. */
const recordsShown = 5

/** The TXT records that replace port 80. Lines are never wrapped, so that they can be copied. */
export function persistText(records: PersistRecord[]): string {
  if (records.length === 0) return ''
  const lines = records
    .slice(0, recordsShown)
    .map(({ name, value }) => `  ${printable(name)}  TXT  ${JSON.stringify(printable(value))}`)
  const more = records.length - recordsShown
  const rest = more > 0 ? [`  … and the same for ${plural(more, 'more name')}`] : []
  const lead =
    'If port 80 cannot reach this box, a TXT record may replace it, if the authority accepts that (docs/domains.md, "Without port 80"):'
  return `\n${[lead, ...lines, ...rest].join('\n')}\n`
}

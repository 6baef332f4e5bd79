import { html, type Markup } from '../../../lib/html.ts'
import type { DnsRecords } from '../../../operations/domain/dns-records.ts'
import type { DomainJson } from '../../../operations/domain/domain-statuses.ts'
import { copyButton } from '../../look/fields.ts'
import { mark } from '../../look/notice.ts'
import { type TableColumn, table } from '../../look/table.ts'
import { captured } from '../values.ts'

interface RecordToSet {
  type: 'A' | 'AAAA' | 'CNAME' | 'TXT'
  name: string
  /** `null`: the public address of the box, which it does not know. */
  value: string | null
  /** When to set it; `null`: in any case. */
  when: string | null
  /** What DNS has in its place; `null`: nobody has looked. */
  found: Markup | null
}

type Seen = Pick<DomainJson, 'observed' | 'persistRecord'>

/** The records to set for domains, each to be copied; where somebody has looked, with what DNS has now. */
export function dnsTable(domains: readonly { records: DnsRecords; seen?: Seen }[]): Markup {
  const rows = domains.flatMap(({ records, seen }) => recordsToSet(records, seen))
  const columns = rows.some(({ found }) => found !== null) ? [...toSet, now] : toSet
  return table('DNS records', columns, rows)
}

function recordsToSet({ host, records, cname }: DnsRecords, seen: Seen | undefined): RecordToSet[] {
  const observed = seen !== undefined && isLookedAt(seen.observed) ? seen.observed : null
  const persistRecord = seen?.persistRecord
  const addresses = records.map(({ type, value }): RecordToSet => {
    const there = observed && (type === 'A' ? observed.a : observed.aaaa)
    return { type, name: host, value, when: null, found: there && foundWords(there, value) }
  })
  return [
    ...addresses,
    ...(cname === null ? [] : [aliasOf(host, cname, observed)]),
    ...(persistRecord === undefined ? [] : [txtOf(persistRecord)]),
  ]
}

/** Where the name leads, by what DNS has; `partly`: some of its addresses are this box's; `null`: nobody has looked, or the box does not know its address. */
export function pointsTo({ records: { records, cname }, seen }: { records: DnsRecords; seen: Seen }): PointsTo | null {
  const { observed } = seen
  if (observed.http === 'ours' || (cname !== null && observed.cname === cname)) return 'here'
  if (!isLookedAt(observed) || records.some(({ value }) => value === null)) return null
  const set = records.filter(
    ({ type, value }) => value !== null && (type === 'A' ? observed.a : observed.aaaa).includes(value),
  )
  if (set.length === records.length) return 'here'
  return set.length > 0 ? 'partly' : 'elsewhere'
}

export type PointsTo = 'here' | 'partly' | 'elsewhere'

const isLookedAt = ({ a, aaaa, cname, http }: DomainJson['observed']): boolean =>
  a.length + aaaa.length > 0 || cname !== null || http !== 'unknown'

function aliasOf(name: string, value: string, observed: DomainJson['observed'] | null): RecordToSet {
  const found = observed?.cname ? foundWords([observed.cname], value) : null
  return { type: 'CNAME', name, value, when: 'instead of the addresses above', found }
}

const txtOf = ({ name, value }: NonNullable<DomainJson['persistRecord']>): RecordToSet => ({
  ...{ type: 'TXT', name, value, found: null },
  when: 'only where port 80 is closed',
})

function foundWords(there: readonly string[], value: string | null): Markup {
  if (there.length === 0) return mark('missing', 'doubtful')
  if (value !== null && there.includes(value)) return mark('found', 'good')
  const others = html`<code class="wrap">${captured(there.join(', '))}</code>`
  return value === null ? others : html`${mark('other value', 'bad')} ${others}`
}

const toSet: readonly TableColumn<RecordToSet>[] = [
  { head: 'Type', cell: ({ type }) => type },
  {
    head: 'Name',
    label: true,
    kind: 'wrap',
    cell: ({ type, name }) => copied(`${type}-${name}-name`, name, `name of the ${type} record`),
  },
  { head: 'Value', label: true, kind: 'wrap', cell: valueCell },
]

const now: TableColumn<RecordToSet> = { head: 'Now', label: true, cell: ({ found }) => found }

function valueCell({ type, name, value, when }: RecordToSet): Markup {
  const hint = when === null ? null : html`<div class="hint">${when}</div>`
  if (value === null)
    return html`the public ${type === 'A' ? 'IPv4' : 'IPv6'} address of this box<div class="hint">The box itself does not know it.</div>`
  return html`${copied(`${type}-${name}`, value, `${type} record of ${name}`)}${hint}`
}

const copied = (id: string, text: string, what: string): Markup =>
  html`<code class="wrap" id="${id}">${text}</code> ${copyButton(id, what)}`

import type { ReservedDomain } from '../../account/domain-claims.ts'
import type { NameState } from '../../https/certificate-store.ts'
import type { DomainStatus } from '../../https/domain-status.ts'
import { plural, timestamp } from '../../lib/quantities.ts'
import type { PersistRecord } from '../../operations/domain/domain-statuses.ts'
import type { Layout, Style, Tone } from '../output/style.ts'
import { fittingTable } from '../output/table.ts'
import { hung, type Labelled, labelledLines, printable } from '../output/text.ts'

const tones: Record<NameState, Tone> = { active: 'good', waiting: 'doubtful', failing: 'bad', off: 'dim' }
/** Limits the hosts listed with a shared reason. */
const hostsShown = 5

/** One line for each name, followed by the advice, each piece once. */
export function domainsText(statuses: DomainStatus[], { style, columns }: Layout): string {
  const cells = statuses.map(cellsOf)
  const isUsed = (column: number) => column < 3 || cells.some((row) => row[column] !== '')
  const used = <T>(row: T[]) => row.filter((_, column) => isUsed(column))
  const headers = used(['Host', 'Account', 'State', 'Valid until', 'Next try'])
  const table = { headers, rows: cells.map(used), empty: '', whole: ['Host', 'State', 'Valid until'] }
  const names = fittingTable(table, style, columns) ?? cells.map((row) => narrowText(row, style)).join('')
  const reasons = reasonsOf(statuses).map((text) => `${hung('  ', printable(text), columns)}\n`)
  return reasons.length === 0 ? names : `${names}\n${reasons.join('')}`
}

type NameCells = [host: string, account: string, state: { text: string; tone: Tone }, until: string, next: string]

const cellsOf = ({ host, account, use, state, certificate, nextTryAt }: DomainStatus): NameCells => [
  host,
  account ?? ownUse[use] ?? '',
  { text: state, tone: tones[state] },
  certificate === null ? '' : day(certificate.notAfter),
  nextTryAt === null ? '' : timestamp(nextTryAt),
]

/** A name as wide as the terminal gets its own line. */
function narrowText([host, account, { text, tone }, until, next]: NameCells, style: Style): string {
  const parts = [account, until === '' ? '' : `valid until ${until}`, next === '' ? '' : `next try ${next}`]
  const rest = parts.filter((part) => part !== '').map((part) => `, ${printable(part)}`)
  return `${printable(host)}\n  ${style(tone, text)}${rest.join('')}\n`
}

const ownUse: Record<DomainStatus['use'], string | null> = { site: null, preview: '(previews)', console: '(console)' }

/** A reason that does not contain its host is printed once for all hosts. */
function reasonsOf(statuses: Pick<DomainStatus, 'host' | 'reason'>[]): string[] {
  const hosts = new Map<string, string[]>()
  for (const { host, reason } of statuses) {
    if (reason !== '') hosts.set(reason, [...(hosts.get(reason) ?? []), host])
  }
  return [...hosts].map(([reason, [first = '', ...others]]) => {
    if (reason.includes(first)) return reason
    const shown = [first, ...others].slice(0, hostsShown).join(', ')
    const more = others.length + 1 - hostsShown
    return `${shown}${more > 0 ? ` and ${plural(more, 'more name')}` : ''}: ${reason}`
  })
}

/** All that is known of one name. @param fault what is wrong with its records */
export function domainText(status: DomainStatus, fault: string | null, { style, columns }: Layout): string {
  const { host, account, use, state, reason, observed, certificate, nextTryAt } = status
  const lines: Labelled[] = [
    account === null ? ['Used for', use] : ['Account', account],
    ['A', listed(observed.a)],
    ['AAAA', listed(observed.aaaa)],
    ...(observed.cname === null ? [] : [['CNAME', observed.cname] satisfies Labelled]),
    ['CAA', listed(observed.caa)],
    ['Port 80', answerText[observed.http]],
    ['Certificate', certificate === null ? 'none' : certificateText(certificate)],
    ...(nextTryAt === null ? [] : [['Next try', timestamp(nextTryAt)] satisfies Labelled]),
  ]
  const why = [...new Set([fault ?? '', reason])].filter((text) => text !== '')
  const advice = why.map((text) => `\n${hung('', printable(text), columns)}\n`).join('')
  return `${printable(host)}  ${style(tones[state], state)}\n${labelledLines(lines, columns)}${advice}`
}

const listed = (records: string[]): string => (records.length === 0 ? 'none' : records.join(', '))

const answerText: Record<DomainStatus['observed']['http'], string> = {
  ours: 'this box answers',
  other: 'another server answers',
  none: 'nobody answers',
  unknown: 'not known',
}

function certificateText({ issuer, serial, notAfter, renewAt }: NonNullable<DomainStatus['certificate']>): string {
  const renewal = renewAt === null ? '' : `, renewed from ${day(renewAt)} on`
  return `${issuer}, valid until ${timestamp(notAfter)}${renewal}, serial ${serial}`
}

const day = (epochMs: number): string => new Date(epochMs).toISOString().slice(0, 10)

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

/** A service checks a name within seconds of its due time, unless hundreds are due. */
const lateMsMax = 10 * 60_000

/** Why the states in mode `auto` may be outdated; `null`: they are current. */
export function staleness(
  statuses: Pick<DomainStatus, 'nextTryAt'>[],
  { isRunning, now }: { isRunning: boolean; now: number },
): string | null {
  if (!isRunning)
    return 'no service is running on this box, so nothing is ordered or renewed. These are the last known states.'
  const [earliest] = statuses.flatMap(({ nextTryAt }) => nextTryAt ?? []).sort((one, other) => one - other)
  if (earliest === undefined || now - earliest <= lateMsMax) return null
  return `the service should have checked again at ${timestamp(earliest)} but has not: see its log.`
}

/** Says whose reservation an account takes. @param by the account's handle */
export const takenOverLine = (
  { host, handle, droppedAt }: Pick<ReservedDomain, 'host' | 'handle' | 'droppedAt'>,
  by: string,
): string =>
  `notice: ${host} is reserved for the account "${handle}", which had it until ${timestamp(droppedAt)}; "${by}" takes it.`

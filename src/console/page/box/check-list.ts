import { fieldLabel } from '../../../account/field-label.ts'
import { html, type Markup } from '../../../lib/html.ts'
import { plural, timestamp } from '../../../lib/quantities.ts'
import type { NameOf } from '../../../operations/account/account-names.ts'
import { identityOf } from '../../../operations/alert/alert-news.ts'
import { byWeight, type CheckResult, type ResultPage, worstStatus } from '../../../operations/check-result.ts'
import type { Examined, SettingsPlace } from '../../console-box.ts'
import { copyField } from '../../look/fields.ts'
import { inWords, type MarkTone, mark, notice, verdict } from '../../look/notice.ts'
import { agoTime, type Fact, factsTable } from '../values.ts'

export const attentionMax = 20
const checksMax = 60

const tones: Record<CheckResult['status'], MarkTone> = { ok: 'good', warning: 'doubtful', fault: 'bad' }

/** A destination that fails is as bad here as under Deliveries. */
export const toneOf = (result: CheckResult): MarkTone => (isFailing(result) ? 'bad' : tones[result.status])

const isFailing = ({ failingSince }: CheckResult): boolean => failingSince !== undefined

/** Checks whose current results the overview shows anyway. */
const shownAnyway: ReadonlySet<string> = new Set(['deliveries', 'backup', 'disk', 'cluster'])

/** What the last examination of the box found besides. @param knowsNames whether the overview shows the states of names */
export function examinedAttention(
  examined: Examined | null,
  current: readonly CheckResult[],
  knowsNames: boolean,
): CheckResult[] {
  const known = new Set(current.map(identityOf))
  const isShown = (result: CheckResult) => shownAnyway.has(result.check) || known.has(identityOf(result))
  return (examined?.checks ?? []).filter(
    (result) => result.status !== 'ok' && !isShown(result) && !(knowsNames && result.check === 'certificate'),
  )
}

/** What needs attention, each with a link to the page where it can be fixed. */
export function attentionList(
  found: readonly CheckResult[],
  { isOwner, isExamined }: { isOwner: boolean; isExamined: boolean },
): Markup {
  if (found.length === 0)
    return verdict(
      'Nothing needs attention',
      'good',
      isOwner ? html`${isExamined ? null : 'as far as is known · '}<a href="/box">Check the box</a>` : null,
    )
  const items = found
    .slice(0, attentionMax)
    .map(
      (result, index) =>
        html`<li class="place ${toneOf(result)}"><p>${inWords(result.found)}</p>${wayToAct(result)}${result.lines === undefined ? null : toPaste(result.lines, index)}</li>`,
    )
  const rest = found.length - attentionMax
  return html`<h2 id="attention">Needs attention</h2><ul class="places urgent">${items}</ul>${rest > 0 ? html`<p class="hint">And ${plural(rest, 'more item')} like these.</p>` : null}`
}

const toPaste = (text: string, index: number): Markup =>
  copyField({ id: `lines-${index}`, label: 'Lines for site.toml', text, rows: text.split('\n').length })

function wayToAct(result: CheckResult): Markup {
  const place = accountPage(result.page)
  return place === null
    ? html`<a href="${placeToAct(result)}">See what to do<span class="unseen">: ${checkName(result.check)}</span></a>`
    : link(placeToAct(result), `Check ${titles[place.name].toLowerCase()}`)
}

/** Of the box, Health has what to do. */
export function placeToAct({ page }: CheckResult): string {
  const place = accountPage(page)
  return place === null ? '/box' : hrefOf(place)
}

/** Destinations of an account that fail stand in one line. */
export const merged = (found: readonly CheckResult[], nameOf: NameOf): CheckResult[] =>
  [...Map.groupBy(found, (result) => failingAccount(result) ?? result)].flatMap(([of, alike]) => {
    const [first] = alike
    if (first === undefined || typeof of !== 'string' || alike.length === 1) return alike
    const since = timestamp(Math.min(...alike.map(({ failingSince = Infinity }) => failingSince)))
    const names = alike.flatMap(({ about }) => about ?? []).join(', ')
    const found = `${alike.length} destinations of ${nameOf(of)} have failed, the first since ${since}: ${names}.`
    const page = { name: 'deliveries', account: of, todo: '{page} shows why, and what to do.' } as const
    return [{ ...first, page, found }]
  })

const failingAccount = ({ failingSince, page }: CheckResult): string | null =>
  failingSince === undefined ? null : (accountPage(page)?.account ?? null)

type AccountPage = Extract<ResultPage, { account: unknown }>

const accountPage = (page: ResultPage | undefined): AccountPage | null =>
  page !== undefined && 'account' in page && page.account !== null ? page : null

/** Of work that the page waits for. */
export const soonShown = 'For a large box this takes minutes; this page then shows the result by itself.'

interface Circumstances {
  isUnderWay: boolean
  now: number
  settingsPlace: SettingsPlace
  /** What the page itself finds, later than the examination. */
  alsoFound: readonly CheckResult[]
  nameOf: NameOf
}

/** What `capture doctor` found: problems first, the rest folded away. */
export function checksPart(
  examined: Examined | null,
  { isUnderWay, now, settingsPlace, alsoFound, nameOf }: Circumstances,
): Markup {
  const work = isUnderWay ? notice('plain', `The box is being checked. ${soonShown}`, 'status') : null
  if (examined === null) return work ?? notice('bad', 'The box could not be checked. The log says why.')
  const checks = withCurrent(examined.checks, alsoFound, nameOf)
  const unwell = checks.filter(({ status }) => status !== 'ok').sort(byUrgency)
  const well = checks.filter(({ status, isNote }) => status === 'ok' && !isNote)
  const problems = byCheck(unwell).map((found) => problem(found, settingsPlace))
  const passed = byCheck(well).map(passedFact)
  const notes = byCheck(checks.filter(({ isNote }) => isNote)).map(noteFact)
  return html`${work}${verdict(verdictOn(unwell), unwell[0] === undefined ? 'good' : toneOf(unwell[0]), html`Checked ${agoTime(examined.at, now)}`)}
${problems.length === 0 ? null : html`<ul class="places" aria-label="Problems">${problems}</ul>`}
<details class="passed well"><summary>${plural(passed.length, 'check')} passed</summary>${factsTable(passed)}</details>${notes.length === 0 ? null : html`<details class="passed noted"><summary>${plural(notes.length, 'note')}</summary>${factsTable(notes)}</details>`}`
}

/** What the page found replaces what the examination said of the same thing, unless that began alike and said more. */
function withCurrent(examined: readonly CheckResult[], current: readonly CheckResult[], nameOf: NameOf): CheckResult[] {
  const known = new Set(current.map(identityOf))
  const fullest = current.map((result) => examined.find(({ found }) => found.startsWith(result.found)) ?? result)
  // All destinations that fail now are found by the page: any other works again.
  const others = examined.filter((result) => result.failingSince === undefined && !known.has(identityOf(result)))
  return [...merged(fullest, nameOf), ...others]
}

const byCheck = (results: readonly CheckResult[]) => [...Map.groupBy(results.slice(0, checksMax), ({ check }) => check)]

const isBad = (result: CheckResult): boolean => toneOf(result) === 'bad'

/** What loses leads, before what may lose them one day. */
const losing: readonly string[] = ['losses', 'disk', 'deliveries', 'mail', 'backup']

export const byUrgency = (one: CheckResult, other: CheckResult): number =>
  Number(isBad(other)) - Number(isBad(one)) || byWeight(one, other) || placeOf(one) - placeOf(other)

const placeOf = ({ check }: CheckResult): number => (losing.includes(check) ? losing.indexOf(check) : losing.length)

/** What a check is called where its own name says too little, and what it says of the box when it has passed. */
const checkWords: Readonly<Record<string, { name?: string; passed?: string }>> = {
  audit: { name: 'Audit log', passed: 'Audit log unchanged' },
  backup: { name: 'Backups', passed: 'Backups up to date' },
  bytes: { name: 'Published files', passed: 'Published files unchanged' },
  certificate: { name: 'Certificates', passed: 'Names in order' },
  clock: { passed: 'Clock right' },
  config: { name: 'Configuration', passed: 'Configuration valid' },
  contents: { name: 'Published content' },
  'data folder': { passed: 'Data folder usable' },
  database: { passed: 'Database intact' },
  disk: { name: 'Free space', passed: 'Enough free space' },
  domain: { name: 'Domains' },
  kernel: { name: 'Operating system' },
  log: { name: 'Latest writes', passed: 'Writing keeps up' },
  losses: { name: 'Lost records', passed: 'No records lost' },
  mail: { passed: 'Mail server answers' },
  processing: { name: 'Waiting records', passed: 'Records processed in time' },
  records: { passed: 'Records readable' },
  retention: { passed: 'Retention in order' },
  schema: { name: 'Version of the database', passed: 'Database up to date' },
  secrets: { name: 'Sealed secrets', passed: 'Secrets readable' },
  server: { name: 'Service', passed: 'Service running' },
}

const checkName = (check: string): string => checkWords[check]?.name ?? fieldLabel(null, check)

/** Of files that are as they should be, without their folders. */
const passedFact = ([check, results]: ByCheck): Fact => [
  checkWords[check]?.passed ?? checkName(check),
  foundText(results.map(({ found }) => found.replace(/(^|\s)\/\S*\//g, '$1'))),
]

const noteFact = ([check, results]: ByCheck): Fact => [
  check === 'certificate' ? 'Names' : checkName(check),
  html`${foundText(results.map(({ found }) => found))}${results.map(({ advice }, at) => advice && copyField({ id: `note-${check}-${at}`, label: 'To change it', text: advice, rows: 1 }))}`,
]

type ByCheck = readonly [check: string, results: readonly CheckResult[]]

const foundText = (sentences: readonly string[]): Markup => inWords(sentences.join(' '))

/** First whether the box works, then what there is to do. */
function verdictOn(unwell: readonly CheckResult[]): string {
  const faults = unwell.filter(({ status }) => status === 'fault').length
  const failing = unwell.filter(({ status, failingSince }) => status !== 'fault' && failingSince !== undefined).length
  const warnings = unwell.length - faults - failing
  const left = warnings === 0 ? '' : plural(warnings, 'warning')
  if (faults === 0 && failing > 0) return `The box works, but deliveries fail${left === '' ? '' : ` (and ${left})`}`
  if (faults === 0) return left === '' ? 'The box works' : `The box works, with ${left}`
  return `Something does not work: ${plural(faults, 'fault')}${left === '' ? '' : ` and ${left}`}`
}

/** All that one check found, the worst first. */
function problem([check, results]: ByCheck, place: SettingsPlace): Markup {
  const status = worstStatus(results)
  const word = status === 'fault' ? status : results.some(isFailing) ? 'failing' : null
  const tone = word === null ? tones[status] : 'bad'
  const parts = [...Map.groupBy(results, (result) => adviceOf(result)?.text)].map(([, alike]) =>
    sameAdvice(alike, place),
  )
  return html`<li class="place ${tone}"><h2>${checkName(check)}${word && html` ${mark(word, tone)}`}</h2>${parts}</li>`
}

/** What is to be done is said once. */
const sameAdvice = (alike: readonly CheckResult[], place: SettingsPlace): Markup =>
  html`${alike.map(({ found }) => html`<p>${inWords(found)}</p>`)}${alike.slice(0, 1).map((result) => toSet(result, place) ?? adviceOf(result))}`

/** Lines to copy say more than a sentence about them. */
function toSet({ settings }: CheckResult, { file, restart }: SettingsPlace): Markup | null {
  if (settings === undefined) return null
  const { table, lines } = settings
  const then = restart === null ? 'restart the box' : `run: ${restart}`
  const label = `Put this under [${table}] in ${file ?? 'capture.toml'} with your own values, then ${then}`
  return copyField({ id: `set-${table}`, label, text: lines, rows: lines.split('\n').length })
}

/** A page wherever there is one: an owner may never have seen a command. */
export function adviceOf({ advice, page }: Pick<CheckResult, 'advice' | 'page'>): Markup | null {
  if (page?.todo !== undefined) {
    const [before = '', after] = page.todo.split('{page}')
    return html`<p>${before}${after === undefined ? null : html`${pageLink(page)}${after}`}</p>`
  }
  const place = accountPage(page)
  return advice === null ? null : html`<p>${inWords(advice)}${place && html` See ${pageLink(place)}.`}</p>`
}

const titles: Readonly<Record<ResultPage['name'], string>> = {
  backups: 'Backups',
  health: 'Health',
  overview: 'the overview',
  domains: 'Domains',
  deliveries: 'Deliveries',
  persons: 'Persons',
  settings: 'Settings',
  refusals: 'Refusals',
}

function hrefOf(page: ResultPage): string {
  if ('account' in page) return page.account === null ? '#names' : `/a/${page.account}/${page.name}`
  return { backups: '#backups', health: '/box', overview: '/' }[page.name]
}

const pageLink = (page: ResultPage): Markup =>
  link(hrefOf(page), 'account' in page && page.account === null ? 'Names of the box' : titles[page.name])

const link = (href: string, title: string): Markup => html`<a href="${href}">${title}</a>`

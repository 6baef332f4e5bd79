import { domainReservedMs, type ReservedDomain } from '../../../account/domain-claims.ts'
import { html, type Markup } from '../../../lib/html.ts'
import { count } from '../../../lib/quantities.ts'
import { type AccountNames, accountNames } from '../../../operations/account/account-names.ts'
import { dnsRecords } from '../../../operations/domain/dns-records.ts'
import {
  type DomainJson,
  domainJson,
  isWithout,
  triedAgain,
  whyGivenUp,
} from '../../../operations/domain/domain-statuses.ts'
import { type CheckedDomainJson, checkDomain, listDomains } from '../../../operations/domain/list-domains.ts'
import {
  addDomainSuffix,
  domainSuffixes,
  releaseDomain,
  removeDomainSuffix,
  reservedDomains,
} from '../../../operations/domain/reserved-domains.ts'
import { pageOf } from '../../api/list.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { copyButton, described, faultLine } from '../../look/fields.ts'
import { doneNote, emptyState, inWords, type MarkTone, mainWay, mark, verdict } from '../../look/notice.ts'
import { backLink } from '../../look/shell.ts'
import { type TableColumn, table } from '../../look/table.ts'
import type { PageContent } from '../../page-content.ts'
import { actForm, fieldFault } from '../act-form.ts'
import { type ShownList, shownList } from '../list-page.ts'
import { type AccountPage, type AccountPageCall, actsBy, may, type PageCall } from '../page.ts'
import { changeableText, changeForm } from '../site-toml-change.ts'
import { settingsAt } from '../site-toml-line.ts'
import { captured, factsTable, localTime } from '../values.ts'
import { dnsTable, type PointsTo, pointsTo } from './dns-table.ts'

const reservedMax = 100

const fieldOf = ({ fields }: PageCall, name: string): string => fields.get(name) ?? ''

export const release = actForm(releaseDomain, {
  input: (call) => ({ host: fieldOf(call, 'host') }),
  shown: () => ({ notice: 'The name is free.' }),
})

const suffixIn = (call: AccountPageCall) => ({ suffix: fieldOf(call, 'suffix').trim() })

const addSuffix = actForm(addDomainSuffix, {
  input: suffixIn,
  typed: 'suffix',
  shown: (_, call) => ({ notice: `Allowed all subdomains of ${suffixIn(call).suffix}.` }),
})

const removeSuffix = actForm(removeDomainSuffix, {
  input: suffixIn,
  shown: () => ({ notice: 'The domain is removed.' }),
})

interface Asked {
  /** `null`: the names of every account. */
  accountId: string | null
  timezone: string
}

/** Names that nobody else takes for a while, each with a button that frees it; `null`: there are none. */
export async function reservedPart(box: ConsoleBox, { accountId, timezone }: Asked): Promise<Markup | null> {
  const all = await reservedDomains(box, accountId)
  if (all.length === 0) return null
  const shown = all.slice(0, reservedMax)
  const more =
    all.length > reservedMax ? html`<p class="hint">… and ${String(all.length - reservedMax)} more.</p>` : null
  return html`<h2 id="reserved">Reserved names</h2><p class="hint">Until the date, the users and tokens of other accounts cannot take these names. Owners can, by publishing.</p>
${table('Reserved names', reservedColumns(timezone, accountNames(await box.accounts.list())), shown)}${more}`
}

const reservedColumns = (timezone: string, { nameById }: AccountNames): TableColumn<ReservedDomain>[] => [
  { head: 'Name', cell: ({ host }) => host },
  { head: 'Former account', label: true, cell: ({ accountId, handle }) => nameById(accountId) ?? handle },
  { head: 'Until', label: true, cell: ({ droppedAt }) => localTime(droppedAt + domainReservedMs, timezone) },
  {
    head: 'Acts',
    isUnseen: true,
    cell: ({ host }) =>
      html`<form method="post"><input type="hidden" name="act" value="release"><button class="quiet" name="host" value="${host}">Free the name<span class="unseen">: ${host}</span></button></form>`,
  },
]

async function suffixesPart(call: AccountPageCall, box: ConsoleBox): Promise<Markup | null> {
  const { account, caller, fields } = call
  const fault = fieldFault(call)
  const { suffixes } = await domainSuffixes(box, account.handle)
  if (!caller.isOwner && suffixes.length === 0) return null
  const remove = (suffix: string) =>
    html`<form method="post"><input type="hidden" name="act" value="removeSuffix"><button class="quiet ends" name="suffix" value="${suffix}">Remove<span class="unseen">: ${suffix}</span></button></form>`
  const columns: TableColumn<string>[] = [
    { head: 'Domain', cell: (suffix) => html`<code>${suffix}</code>` },
    { head: 'Remove', isUnseen: true, kind: 'end', cell: (suffix) => (caller.isOwner ? remove(suffix) : null) },
  ]
  const add = html`<form method="post" class="inline"><input type="hidden" name="act" value="addSuffix"><label for="suffix">Allow all subdomains of</label>
<input id="suffix" name="suffix" required maxlength="253" autocomplete="off" autocapitalize="off" spellcheck="false" placeholder="agency.example" value="${fields.get('suffix') ?? ''}"${described('suffix', fault)}> <button>Allow</button></form>${faultLine('suffix', fault)}`
  const title = 'What this account may connect'
  return html`<details class="more" id="suffixes"${fault && html` open`}><summary>${title}</summary><p class="hint">Users and tokens of this account may connect any free subdomain of ${suffixes.length === 0 ? 'the domains allowed here' : 'these domains'}. For others they must first set a DNS record.${caller.isOwner ? ' You, as an owner, may connect any.' : null}</p>
${suffixes.length === 0 ? null : table(title, columns, suffixes)}${caller.isOwner ? add : null}</details>`
}

/** `/a/ACCOUNT/domains?cursor`: the state of each domain, and the DNS records to set. */
export const domainsPage: AccountPage = {
  path: '/a/:account/domains',
  link: { group: 'Site', text: 'Domains', icon: 'globe' },
  scope: 'read',
  show: (call, box) => content(call, box, {}),
  forms: {
    scope: 'admin',
    chosen: (call) => (call.caller.isOwner ? ownersActs(call) : null) ?? accountsActs(call),
  },
}

const check = actForm(checkDomain, {
  input: (call) => ({ host: fieldOf(call, 'host'), now: true }),
  shown: async ({ answer }, call, box) => ({ answer: await content(call, box, { checked: answer }) }),
})

const accountsActs = actsBy<AccountPageCall>('act', { check, '': check })
const ownersActs = actsBy<AccountPageCall>('act', { release, addSuffix, removeSuffix })

interface Outcome {
  /** The result of a check just now, which is not stored. */
  checked?: CheckedDomainJson
}

async function content(call: AccountPageCall, box: ConsoleBox, { checked }: Outcome): Promise<PageContent> {
  const { account, caller } = call
  const asked = { accountId: account.id, timezone: account.settings.timezone }
  const kept = await changeableText(call, box)
  if (kept !== null && call.url.searchParams.has('new'))
    return {
      title: connecting,
      back: backLink(`/a/${account.handle}/domains`, 'Domains'),
      body: connectForm(account.handle, 'sheet'),
    }
  const reserved = caller.isOwner ? await reservedPart(box, asked) : null
  const list = await shownList(domainsList(checked, kept), call, box)
  return {
    body: html`${checked === undefined ? null : checkedNote(checked, { isOwner: caller.isOwner, box })}
${list.body}${await suffixesPart(call, box)}${reserved}`,
    // The empty state has its own.
    ways: html`${isReachable(list.items, call, box) ? connectWay(call, kept, may(call, 'admin') && list.items.some(isUnready(box))) : null} ${list.ways ?? null}`,
  }
}

const checkedNote = (checked: CheckedDomainJson, reader: Reader): Markup =>
  doneNote(
    html`<p>Checked ${checked.host} just now: ${foundWords(checked, reader)}</p>`,
    checked.fault === null ? 'good' : 'bad',
  )

function foundWords(checked: CheckedDomainJson, reader: Reader): Markup | string {
  const { fault, reason } = checked
  if (fault !== null && fault !== reason) return inWords(fault)
  return reason === '' ? 'no problem found.' : reasonWords(checked, reader)
}

const isPublic = ({ host, state }: DomainJson, box: Pick<ConsoleBox, 'config'>): boolean =>
  dnsRecords([host], box).length > 0 && (state !== 'off' || isBehindProxy(box))

/** Whether the internet can reach a domain of the account. @param domains those of one page */
const isReachable = (domains: readonly DomainJson[], { account }: AccountPageCall, box: ConsoleBox): boolean => {
  const connected = domains.filter(({ host }) => account.settings.domains.includes(host))
  return connected.length < account.settings.domains.length || connected.some((domain) => isPublic(domain, box))
}

const connecting = 'Connect a domain'

/** @param kept the text that gains the domain; `null`: it cannot be changed here @param isSecond after what a domain lacks */
function connectWay(call: AccountPageCall, kept: string | null, isSecond = false): Markup | null {
  if (!may(call, 'publish')) return null
  const href = kept === null ? settingsAt(call.account.handle, { key: 'domains' }) : '?new=1'
  return isSecond ? html`<a class="button" href="${href}">${connecting}</a>` : mainWay(href, connecting)
}

const connectForm = (handle: string, look: 'sheet' | null = null): Markup =>
  changeForm(
    handle,
    'domain',
    html`<div class="of-email"><label for="domain">Domain</label>
<input id="domain" name="value" required maxlength="253" autocomplete="off" autocapitalize="off" spellcheck="false" placeholder="go.example.com"></div>
<p class="do"><button>${connecting}</button> <span class="hint">You review the changes first, with the DNS records to set.</span></p>`,
    look,
  )

/** Test names, and those whose certificates a proxy has, are neither ready nor not. */
const judgedOf = (domains: readonly DomainJson[], box: Pick<ConsoleBox, 'config'>) =>
  domains.map((domain) => ({ domain, tone: stateShown(domain, box)[1] })).filter(({ tone }) => tone !== 'plain')

/** Of several domains, whether visitors reach each, and what they meet otherwise. The card of a single one says it. */
export function verdictOn(domains: readonly DomainJson[], box: Pick<ConsoleBox, 'config'>): Markup | null {
  const hint = isBehindProxy(box) ? behindProxy : null
  const judged = judgedOf(domains, box)
  if (judged.length < 2) return hint && html`<p class="hint">${hint}</p>`
  const open = judged.filter(({ tone }) => tone !== 'good')
  if (open.length === 0) return verdict(`All ${count(judged.length)} domains are ready`, 'good', hint)
  const which = `${count(open.length)} of ${count(judged.length)} domains`
  const [effect, ...otherEffects] = new Set(open.map(({ domain }) => effectOf(domain, box)))
  const words = effect === undefined || otherEffects.length > 0 ? effects.unready : effects[effect]
  const tone = open.some(({ tone }) => tone === 'bad') ? 'bad' : 'doubtful'
  return verdict(words(which, open.length > 1), tone, hint)
}

const effects = {
  unreached: (which: string) => `Visitors do not reach ${which}`,
  warned: (which: string) => `Visitors of ${which} see a warning`,
  unready: (which: string, areSeveral: boolean) => `${which} ${areSeveral ? 'are' : 'is'} not ready`,
}

/** The same on the card of a domain, whose state says that it is not ready. */
const effectHere: Record<keyof typeof effects, string | null> = {
  unreached: 'Visitors do not reach it.',
  warned: 'Visitors see a warning.',
  unready: null,
}

/** What visitors meet at a name that is not ready. Without its certificate, the box answers with one that browsers warn of. */
function effectOf(domain: DomainJson, box: Pick<ConsoleBox, 'config'>): keyof typeof effects {
  const { host, observed, certificate } = domain
  const [records] = dnsRecords([host], box)
  const points = records === undefined ? null : pointsTo({ records, seen: domain })
  if (points === 'elsewhere' || observed.http === 'other') return 'unreached'
  return points === 'here' && certificate === null ? 'warned' : 'unready'
}

/** @param checked shown instead of what is stored of it @param kept the text that gains a domain */
const domainsList = (checked: DomainJson | undefined, kept: string | null): ShownList<DomainJson, AccountPageCall> => ({
  title: 'Domains',
  api: '/domains',
  shownMax: 25,
  async read({ account }, box, asked) {
    const { domains, persistRecords } = await listDomains(box, { account: account.handle, asksAuthority: false })
    const all = domains.map((domain) =>
      domain.host === checked?.host ? checked : domainJson(domain, persistRecords.get(domain.host) ?? null),
    )
    return pageOf(all, asked, { key: ({ host }) => host, texts: ({ host }) => [host] })
  },
  items: (domains, call, box) => {
    const { timezone, domains: connected } = call.account.settings
    const shown = { timezone, isActed: may(call, 'admin'), isOwner: call.caller.isOwner, checked: checked?.host }
    if (isReachable(domains, call, box))
      return html`${verdictOn(domains, box)}${domainCards(domains, { ...shown, isLed: true }, box)}`
    const previews = domains.filter((domain) => !connected.includes(domain.host) && isPublic(domain, box))
    return html`${emptyState(
      'No public domain yet',
      html`Nobody on the internet reaches your pages under ${connected.join(' or ')}.`,
      firstWay(call, kept),
    )}${previews.length === 0 ? null : domainCards(previews, shown, box)}`
  },
  empty: (call) => emptyState('No domain yet', 'Your pages have no address of their own.', firstWay(call, kept)),
})

/** Of an account without a public domain: the field itself. */
const firstWay = (call: AccountPageCall, kept: string | null): Markup | null =>
  kept === null ? connectWay(call, kept) : connectForm(call.account.handle)

const states: Record<DomainJson['state'], readonly [word: string, tone: MarkTone]> = {
  active: ['ready', 'good'],
  waiting: ['waiting for its certificate', 'doubtful'],
  failing: ['cannot get a certificate', 'bad'],
  off: ['not in public DNS', 'plain'],
}

/** Somebody puts the certificates there. */
const statesInFolder: typeof states = {
  ...states,
  waiting: ['needs a certificate', 'doubtful'],
  failing: ['certificate cannot be used', 'bad'],
}

const isBehindProxy = ({ config }: Pick<ConsoleBox, 'config'>): boolean => config.https.mode === 'off'

const behindProxy = 'A proxy in front of this box has the certificates of all names and renews them.'

/** Behind a proxy, the box sees of a name only what somebody has just looked at. */
function stateShown(
  { host, state, observed }: DomainJson,
  box: Pick<ConsoleBox, 'config'>,
): readonly [string, MarkTone] {
  if (box.config.https.mode === 'files') return statesInFolder[state]
  if (state !== 'off' || !isBehindProxy(box)) return states[state]
  if (observed.http === 'ours') return states.active
  return dnsRecords([host], box).length === 0 ? ['only on this machine', 'plain'] : ['behind a proxy', 'plain']
}

interface CardsShown {
  timezone: string
  isActed: boolean
  isOwner: boolean
  /** The host that somebody has just looked at. */
  checked?: string | undefined
  /** The page is about them: its main button is that of the first card that needs something, and a single one has no verdict above. */
  isLed?: boolean
}

/** A card for each domain, those that need something first: its state, what the box saw of it, and the records to set. */
export const domainCards = (
  domains: readonly DomainJson[],
  shown: CardsShown,
  box: Pick<ConsoleBox, 'config'>,
): Markup => {
  const urgency = (domain: DomainJson) => ['bad', 'doubtful'].indexOf(stateShown(domain, box)[1]) + 1 || 3
  const sorted = domains.toSorted((one, other) => urgency(one) - urgency(other))
  const isAlone = shown.isLed === true && judgedOf(domains, box).length < 2
  return html`<ul class="places">${sorted.map((domain, place) => domainCard(domain, { ...shown, isFirst: shown.isLed === true && place === 0, isAlone }, box))}</ul>`
}

/** Whether somebody mends what a domain lacks, and then looks at it again. */
const isUnready =
  (box: Pick<ConsoleBox, 'config'>) =>
  (domain: DomainJson): boolean =>
    ['bad', 'doubtful'].includes(stateShown(domain, box)[1])

const pointing: Record<PointsTo, readonly [word: string, tone: MarkTone]> = {
  here: ['Points to this box', 'good'],
  partly: ['Points here in part', 'doubtful'],
  elsewhere: ['Does not point here yet', 'doubtful'],
}

function domainCard(
  domain: DomainJson,
  { timezone, isActed, isOwner, checked, isFirst, isAlone }: CardsShown & { isFirst: boolean; isAlone: boolean },
  box: Pick<ConsoleBox, 'config'>,
): Markup {
  const { host, state, reason, nextTryAt } = domain
  // None: the name is never looked up in DNS.
  const [records] = dnsRecords([host], box)
  const isOff = state === 'off'
  const [word, tone] = stateShown(domain, box)
  const next = nextTryAt === null ? null : html` Next try ${localTime(nextTryAt, timezone)}.`
  const isPutThere = isOwner && state === 'waiting' && box.config.https.mode === 'files'
  const words = isPutThere ? filesToPut(host, box) : html`<p>${reasonWords(domain, { isOwner, box })}</p>`
  const why = reason === '' || (isOff && isBehindProxy(box)) ? null : words
  const isTried = isActed && (!isOff || (isBehindProxy(box) && records !== undefined))
  const check = html`<form method="post" class="acts"><input type="hidden" name="act" value="check"><button${isFirst && isUnready(box)(domain) ? null : html` class="second"`} name="host" value="${host}">Check now<span class="unseen">: ${host}</span></button></form>`
  const points = records === undefined ? null : pointsTo({ records, seen: domain })
  const isOpen = points !== 'here' && (isWithout(domain) || checked === host)
  const effect = isAlone && isUnready(box)(domain) ? effectHere[effectOf(domain, box)] : null
  const toSet =
    records === undefined || (isOff && !isBehindProxy(box))
      ? null
      : html`<details${isOpen ? html` open` : null}><summary>DNS records<span class="unseen"> of ${host}</span>${points === null ? null : html` ${mark(...pointing[points])}`}</summary>${dnsTable([{ records, seen: domain }])}</details>`
  return html`<li class="place ${tone}"><h2>${host} ${mark(word, tone)}</h2>${effect && html`<p><strong>${effect}</strong></p>`}${why}
<p class="hint">${seen(domain)}${certificate(domain, timezone)}${next}</p>${toSet}${isTried ? check : null}</li>`
}

/** In mode `files`: which files are missing, each name to be copied. */
function filesToPut(host: string, { config }: Pick<ConsoleBox, 'config'>): Markup {
  const named = (file: string) => html`<code class="wrap" id="${file}">${file}</code> ${copyButton(file, file)}`
  return html`<p>Put two files into <code>${config.https.folder}</code> under these names:</p>
${factsTable([
  ['Certificate', named(`${host}.crt`)],
  ['Key', named(`${host}.key`)],
])}`
}

interface Reader {
  isOwner: boolean
  box: Pick<ConsoleBox, 'config'>
}

/** Why the name has no certificate, with the button on its card for the command in the advice. Only owners reach the folder of certificates. */
function reasonWords(domain: Pick<DomainJson, 'host' | 'state' | 'reason'>, { isOwner, box }: Reader): Markup {
  if (!isOwner && box.config.https.mode === 'files' && domain.state !== 'off')
    return html`An owner of this box has to ${domain.state === 'failing' ? 'replace' : 'add'} its certificate.`
  const why = whyGivenUp(domain)
  return why === null ? inWords(domain.reason) : html`${why} ${triedAgain}.`
}

function certificate({ certificate }: DomainJson, timezone: string): Markup | null {
  if (certificate === null) return null
  const { issuer, notAfter, renewAt } = certificate
  const renewal = renewAt === null ? null : html`, renewed from ${localTime(renewAt, timezone)}`
  return html` Certificate of ${issuer}${renewal}, valid until ${localTime(notAfter, timezone)}.`
}

const answers: Record<DomainJson['observed']['http'], string | null> = {
  ours: 'Visitors reach this box.',
  other: 'Another server answers under this name.',
  none: 'Nobody answers under this name, on port 80.',
  unknown: null,
}

/** Its address records stand in the table. */
function seen({ observed: { caa, http } }: DomainJson): Markup {
  const issuers = caa.length === 0 ? null : html` CAA records: ${captured(caa.join(' · '))}.`
  const answer = answers[http]
  return html`${answer}${issuers}`
}

import { html, type Markup } from '../../../lib/html.ts'
import { type DnsRecords, dnsRecords } from '../../../operations/domain/dns-records.ts'
import { type DomainJson, domainJson, triedAgain, whyGivenUp } from '../../../operations/domain/domain-statuses.ts'
import { type CheckedDomainJson, checkDomain, listDomains } from '../../../operations/domain/list-domains.ts'
import {
  addDomainSuffix,
  domainSuffixes,
  releaseDomain,
  removeDomainSuffix,
  reservedDomainJson,
  reservedDomains,
} from '../../../operations/domain/reserved-domains.ts'
import { pageOf } from '../../api/list.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { copyField } from '../../look/fields.ts'
import { doneNote, emptyState, faultLine, inWords, type MarkTone, mark } from '../../look/notice.ts'
import { type TableColumn, table } from '../../look/table.ts'
import type { PageContent } from '../../page-content.ts'
import { actForm } from '../act-form.ts'
import { type ShownList, shownList } from '../list-page.ts'
import { type AccountPage, type AccountPageCall, actsBy, may, type PageCall } from '../page.ts'
import { localTime } from '../values.ts'

const reservedMax = 100

const fieldOf = ({ fields }: PageCall, name: string): string => fields.get(name) ?? ''

export const release = actForm(releaseDomain, {
  input: (call) => ({ host: fieldOf(call, 'host') }),
  shown: () => ({ notice: 'The name is free.' }),
})

const suffixIn = (call: AccountPageCall) => ({ suffix: fieldOf(call, 'suffix').trim() })

const addSuffix = actForm(addDomainSuffix, {
  input: suffixIn,
  shown: (_, call) => ({ notice: `Allowed every name below ${suffixIn(call).suffix}.` }),
})

const removeSuffix = actForm(removeDomainSuffix, {
  input: suffixIn,
  shown: () => ({ notice: 'The suffix is removed.' }),
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
  const shown = all.slice(0, reservedMax).map(reservedDomainJson)
  const more =
    all.length > reservedMax ? html`<p class="hint">… and ${String(all.length - reservedMax)} more.</p>` : null
  return html`<h2 id="reserved">Reserved names</h2><p class="hint">Until the date, the users and tokens of other accounts cannot take these names. Owners can, by publishing.</p>
${table('Reserved names', reservedColumns(timezone), shown)}${more}`
}

const reservedColumns = (timezone: string): TableColumn<ReturnType<typeof reservedDomainJson>>[] => [
  { head: 'Name', cell: ({ host }) => host },
  { head: 'Former account', label: true, cell: ({ account }) => account },
  { head: 'Until', label: true, cell: ({ reservedUntil }) => localTime(reservedUntil, timezone) },
  {
    head: 'Acts',
    isUnseen: true,
    cell: ({ host }) =>
      html`<form method="post"><input type="hidden" name="act" value="release"><button class="quiet" name="host" value="${host}">Free the name<span class="unseen">: ${host}</span></button></form>`,
  },
]

async function suffixesPart({ account, caller }: AccountPageCall, box: ConsoleBox): Promise<Markup | null> {
  const { suffixes } = await domainSuffixes(box, account.handle)
  if (!caller.isOwner && suffixes.length === 0) return null
  const items = suffixes.map((suffix) => {
    const remove = html`<form method="post" class="acts"><input type="hidden" name="act" value="removeSuffix"><button class="quiet" name="suffix" value="${suffix}">Remove<span class="unseen">: ${suffix}</span></button></form>`
    return html`<li><code>${suffix}</code>${caller.isOwner ? remove : null}</li>`
  })
  const add = html`<form method="post" class="inline"><input type="hidden" name="act" value="addSuffix"><label for="suffix">Allow every name below</label>
<input id="suffix" name="suffix" required maxlength="253" autocomplete="off" autocapitalize="off" spellcheck="false" placeholder="agency.example"> <button>Allow</button></form>`
  return html`<h2 id="suffixes">Names that this account may connect</h2>
<p class="hint">Its own users and tokens connect any free name below these; any other name needs a DNS record, which the plan shows.${caller.isOwner ? ' You may connect any name yourself.' : null}</p>
${items.length === 0 ? null : html`<ul class="plan">${items}</ul>`}${caller.isOwner ? add : null}`
}

/** `/a/ACCOUNT/domains?cursor`: the state of each domain, and the DNS records to set. */
export const domainsPage: AccountPage = {
  path: '/a/:account/domains',
  link: { group: 'Site', text: 'Domains' },
  scope: 'read',
  show: (call, box) => content(call, box, {}),
  forms: {
    scope: 'admin',
    chosen: (call) => (call.caller.isOwner ? ownersActs(call) : null) ?? accountsActs(call),
    refused: (call, box, why) => content(call, box, { fault: why.message }),
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
  fault?: string
}

async function content(call: AccountPageCall, box: ConsoleBox, { checked, fault }: Outcome): Promise<PageContent> {
  const { account, caller } = call
  const asked = { accountId: account.id, timezone: account.settings.timezone }
  const reserved = caller.isOwner ? await reservedPart(box, asked) : null
  const list = await shownList(domainsList(checked), call, box)
  return {
    body: html`${faultLine(fault ?? null)}${checked === undefined ? null : doneNote(html`<p>Checked ${checked.host} just now: ${foundWords(checked)}</p>`)}
${list.body}${await suffixesPart(call, box)}${reserved}`,
    ways: list.ways,
  }
}

function foundWords(checked: CheckedDomainJson): Markup | string {
  const { fault, reason } = checked
  if (fault !== null && fault !== reason) return inWords(fault)
  return reason === '' ? 'no problem found.' : reasonWords(checked)
}

/** @param checked shown instead of what is stored of it */
const domainsList = (checked: DomainJson | undefined): ShownList<DomainJson, AccountPageCall> => ({
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
  items: (domains, call, box) =>
    domainCards(domains, { timezone: call.account.settings.timezone, isActed: may(call, 'admin') }, box),
  empty: ({ account }) =>
    emptyState(
      'No domain yet',
      html`Add the first to <code>domains</code> in <code>site.toml</code>, in your folder or under <a href="/a/${account.handle}/settings">Settings</a>. This page then has the DNS records to set.`,
    ),
})

interface Shown {
  /** `null`: the name is never looked up in DNS. */
  records: DnsRecords | null
  timezone: string
  isActed: boolean
}

const states: Record<DomainJson['state'], readonly [word: string, tone: MarkTone]> = {
  active: ['certificate is valid', 'good'],
  waiting: ['waiting for its certificate', 'doubtful'],
  failing: ['cannot get a certificate', 'bad'],
  off: ['no certificate ordered', 'plain'],
}

/** A card for each domain. Why the box orders no certificate is said once where it is the same for all. */
export function domainCards(
  domains: readonly DomainJson[],
  shown: Omit<Shown, 'records'>,
  box: Pick<ConsoleBox, 'config'>,
): Markup {
  const [first, ...others] = domains
  const isShared =
    others.length > 0 && domains.every(({ state, reason }) => state === 'off' && reason === first?.reason)
  const hosts = domains.map(({ host }) => host)
  const records = new Map(dnsRecords(hosts, box).map((of) => [of.host, of]))
  const cards = domains.map((domain) =>
    domainCard(isShared ? { ...domain, reason: '' } : domain, { ...shown, records: records.get(domain.host) ?? null }),
  )
  return html`<ul class="places">${cards}</ul>${isShared ? html`<p class="hint">${inWords(first?.reason ?? '')}</p>` : null}`
}

/** A domain: its state, what the box saw of it, and the records to set. */
export function domainCard(domain: DomainJson, { records, timezone, isActed }: Shown): Markup {
  const { host, state, reason, nextTryAt } = domain
  const [word, tone] = states[state]
  const next = nextTryAt === null ? null : html`<p class="hint">Next try ${localTime(nextTryAt, timezone)}.</p>`
  const check = html`<form method="post" class="acts"><input type="hidden" name="act" value="check"><button class="quiet" name="host" value="${host}">Check now<span class="unseen">: ${host}</span></button></form>`
  return html`<li class="place ${tone}"><h2>${host} ${mark(word, tone)}</h2>${reason === '' ? null : html`<p>${reasonWords(domain)}</p>`}
${certificate(domain, timezone)}${seen(domain)}${next}${isActed && state !== 'off' ? check : null}${recordFields(domain, records)}</li>`
}

/** Why the name has no certificate, with the button on its card for the command in the advice. */
function reasonWords(domain: Pick<DomainJson, 'host' | 'reason'>): Markup {
  const why = whyGivenUp(domain)
  return why === null ? inWords(domain.reason) : html`${why} ${triedAgain}.`
}

function certificate({ certificate }: DomainJson, timezone: string): Markup | null {
  if (certificate === null) return null
  const { issuer, notAfter, renewAt } = certificate
  const renewal = renewAt === null ? null : html`, to be renewed from ${localTime(renewAt, timezone)}`
  return html`<p class="hint">${issuer}, valid until ${localTime(notAfter, timezone)}${renewal}.</p>`
}

const answers: Record<DomainJson['observed']['http'], string | null> = {
  ours: 'this box answers on port 80',
  other: 'another server answers on port 80',
  none: 'nobody answers on port 80',
  unknown: null,
}

function seen({ observed: { a, aaaa, cname, caa, http } }: DomainJson): Markup | null {
  const parts = [
    ...a.map((address) => `A ${address}`),
    ...aaaa.map((address) => `AAAA ${address}`),
    cname === null ? null : `CNAME ${cname}`,
    ...caa.map((record) => `CAA ${record}`),
    answers[http],
  ].filter((part) => part !== null)
  return parts.length === 0 ? null : html`<p class="hint">Seen: ${parts.join(' · ')}.</p>`
}

/** The DNS records, unfolded while they are needed. */
function recordFields({ host, state, persistRecord }: DomainJson, records: DnsRecords | null): Markup | null {
  if (records === null) return null
  const fields = records.records.map(({ type, value }) =>
    value === null
      ? html`<p>${type} record of ${host}: the public ${type === 'A' ? 'IPv4' : 'IPv6'} address of this box. The box itself does not know it.</p>`
      : copyField({ id: `${type}-${host}`, label: `${type} record of ${host}`, text: value }),
  )
  const alias =
    records.cname === null
      ? null
      : copyField({ id: `cname-${host}`, label: `Or, instead, the CNAME record of ${host}`, text: records.cname })
  const persist =
    persistRecord === undefined
      ? null
      : copyField({
          id: `txt-${host}`,
          label: `Without port 80: TXT record of ${persistRecord.name}`,
          text: persistRecord.value,
        })
  const isOpen = state === 'waiting' || state === 'failing'
  return html`<details${isOpen ? html` open` : null}><summary>DNS records to set<span class="unseen"> for ${host}</span></summary><div class="records">${fields}${alias}${persist}</div></details>`
}

import { html, type Markup } from '../../../lib/html.ts'
import { dnsRecords } from '../../../operations/domain/dns-records.ts'
import { type DomainJson, domainJson } from '../../../operations/domain/domain-statuses.ts'
import { checkDomain, listDomains } from '../../../operations/domain/list-domains.ts'
import {
  addDomainSuffix,
  domainSuffixes,
  releaseDomain,
  removeDomainSuffix,
  reservedDomainJson,
  reservedDomains,
} from '../../../operations/domain/reserved-domains.ts'
import { pageOf } from '../../api/cursor.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { doneNote, faultLine } from '../../look/notice.ts'
import { type TableColumn, table } from '../../look/table.ts'
import { actForm } from '../act-form.ts'
import { type ShownList, shownList } from '../list-page.ts'
import { localTime } from '../local-time.ts'
import { may } from '../may.ts'
import {
  type AccountPage,
  type AccountPageCall,
  actsBy,
  type PageAct,
  type PageCall,
  type PageContent,
} from '../page.ts'
import { domainCard, reasonWords } from './domain-card.ts'

const reservedMax = 100

const fieldOf = ({ fields }: PageCall, name: string): string => fields.get(name) ?? ''

/** For owners, as the following. */
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
  const add = html`<form method="post" class="narrow"><input type="hidden" name="act" value="addSuffix"><label for="suffix">Allow every name below</label>
<input id="suffix" name="suffix" required maxlength="253" autocomplete="off" autocapitalize="off" spellcheck="false" placeholder="agency.example"><p class="do"><button>Allow</button></p></form>`
  return html`<h2 id="suffixes">Names that this account may connect</h2>
<p class="hint">Its own users and tokens connect any free name below these; any other name needs a DNS record, which the plan shows.${caller.isOwner ? ' You may connect any name yourself.' : null}</p>
${items.length === 0 ? null : html`<ul class="plan">${items}</ul>`}${caller.isOwner ? add : null}`
}

/** `/a/ACCOUNT/domains?cursor`: the state of each domain, and the DNS records to set. */
export const domainsPage: AccountPage = {
  of: 'account',
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

const hostIn = ({ fields }: AccountPageCall): string => fields.get('host') ?? ''

const check: PageAct<AccountPageCall> = {
  noted: { action: 'domain.check', subject: hostIn },
  async run(call, box) {
    const wanted = { host: hostIn(call), account: call.account.handle, isNow: true }
    const { status, persistRecord } = await checkDomain(box, wanted)
    return { answer: await content(call, box, { checked: domainJson(status, persistRecord) }) }
  },
}

const accountsActs = actsBy<AccountPageCall>('act', { check, '': check })
const ownersActs = actsBy<AccountPageCall>('act', { release, addSuffix, removeSuffix })

interface Outcome {
  /** The result of a check just now, which is not stored. */
  checked?: DomainJson
  fault?: string
}

async function content(call: AccountPageCall, box: ConsoleBox, { checked, fault }: Outcome): Promise<PageContent> {
  const { account, caller } = call
  const asked = { accountId: account.id, timezone: account.settings.timezone }
  const reserved = caller.isOwner ? await reservedPart(box, asked) : null
  return {
    title: 'Domains',
    body: html`${faultLine(fault ?? null)}${checked === undefined ? null : doneNote(html`<p>Checked ${checked.host} just now: ${checked.reason === '' ? 'no problem found.' : reasonWords(checked)}</p>`)}
${await shownList(domainsList(checked), call, box)}${await suffixesPart(call, box)}${reserved}`,
  }
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
  items(domains, call, box) {
    const hosts = domains.map(({ host }) => host)
    const records = new Map(dnsRecords(hosts, box).map((of) => [of.host, of]))
    const { timezone } = call.account.settings
    const isActed = may(call, 'admin')
    return html`<ul class="places">${domains.map((domain) => domainCard(domain, { records: records.get(domain.host) ?? null, timezone, isActed }))}</ul>`
  },
  empty: html`<p>No domain yet. Add the first to <code>domains</code> in <code>site.toml</code>.</p>`,
})

import { html, type Markup } from '../../../lib/html.ts'
import { checkDomain } from '../../../operations/domain/check-domain.ts'
import { dnsRecords } from '../../../operations/domain/dns-records.ts'
import { type DomainJson, domainJson } from '../../../operations/domain/domain-json.ts'
import { listDomains } from '../../../operations/domain/list-domains.ts'
import { pageOf } from '../../api/list.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { may } from '../may.ts'
import type { AccountPage, AccountPageCall, PageAct, PageContent } from '../page.ts'
import { domainCard, reasonWords } from './domain-card.ts'

const shownMax = 25

/** `/a/ACCOUNT/domains?cursor`: the state of each domain, and the DNS records to set. */
export const domainsPage: AccountPage = {
  of: 'account',
  path: '/a/:account/domains',
  link: { group: 'Site', text: 'Domains' },
  scope: 'read',
  clients: 'nothing',
  show: (call, box) => content(call, box, null),
  forms: { scope: 'admin', clients: 'nothing', chosen: () => check },
}

const hostIn = ({ fields }: AccountPageCall): string => fields.get('host') ?? ''

const check: PageAct<AccountPageCall> = {
  noted: { action: 'domain.check', subject: hostIn },
  async run(call, box) {
    const wanted = { host: hostIn(call), account: call.account.handle, isNow: true }
    const { status, persistRecord } = await checkDomain(box, wanted)
    return { answer: await content(call, box, domainJson(status, persistRecord)) }
  },
}

/** @param checked the result of a check just now, which is not stored */
async function content(call: AccountPageCall, box: ConsoleBox, checked: DomainJson | null): Promise<PageContent> {
  const { account, url } = call
  const { domains, persistRecords } = await listDomains(box, { account: account.handle, asksAuthority: false })
  const all = domains.map((domain) =>
    domain.host === checked?.host ? checked : domainJson(domain, persistRecords.get(domain.host) ?? null),
  )
  const query = { limit: shownMax, format: 'json' as const, ...cursorOf(url) }
  const { items, next } = pageOf(all, query, { key: ({ host }) => host, texts: ({ host }) => [host] })
  const records = new Map(
    dnsRecords(
      items.map(({ host }) => host),
      box,
    ).map((of) => [of.host, of]),
  )
  const cards = items.map((domain) =>
    domainCard(domain, {
      records: records.get(domain.host) ?? null,
      timezone: account.settings.timezone,
      isActed: may(call, 'admin'),
    }),
  )
  return {
    title: 'Domains',
    body: html`${checked === null ? null : html`<div class="note" role="status"><p>Checked ${checked.host} just now: ${checked.reason === '' ? 'no problem found.' : reasonWords(checked)}</p></div>`}
${cards.length === 0 ? html`<p>No domain yet. Add the first to <code>domains</code> in <code>site.toml</code>.</p>` : html`<ul class="places">${cards}</ul>`}${more(call, next)}`,
  }
}

function cursorOf({ searchParams }: URL): { cursor?: string } {
  const cursor = searchParams.get('cursor')
  return cursor === null ? {} : { cursor }
}

const more = ({ account: { handle }, url }: AccountPageCall, next: string | null): Markup =>
  html`<p class="more">${next === null ? null : html`<a class="button" href="${url.pathname}?cursor=${next}">More</a> `}<a href="/api/v1/accounts/${handle}/domains?format=csv&amp;limit=1000">As CSV</a></p>`

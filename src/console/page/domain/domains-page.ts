import { html } from '../../../lib/html.ts'
import { checkDomain } from '../../../operations/domain/check-domain.ts'
import { dnsRecords } from '../../../operations/domain/dns-records.ts'
import { type DomainJson, domainJson } from '../../../operations/domain/domain-json.ts'
import { listDomains } from '../../../operations/domain/list-domains.ts'
import { pageOf } from '../../api/cursor.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { doneNote, faultLine } from '../../look/notice.ts'
import { askedOf, listWays } from '../list-parts.ts'
import { may } from '../may.ts'
import { type AccountPage, type AccountPageCall, actsBy, type PageAct, type PageContent } from '../page.ts'
import { addSuffix, release, removeSuffix, reservedPart, suffixesPart } from './claims-part.ts'
import { domainCard, reasonWords } from './domain-card.ts'

const shownMax = 25

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
  /** Why an act was refused. */
  fault?: string
}

async function content(call: AccountPageCall, box: ConsoleBox, { checked, fault }: Outcome): Promise<PageContent> {
  const { account, url } = call
  const { domains, persistRecords } = await listDomains(box, { account: account.handle, asksAuthority: false })
  const all = domains.map((domain) =>
    domain.host === checked?.host ? checked : domainJson(domain, persistRecords.get(domain.host) ?? null),
  )
  const { items, next } = pageOf(all, askedOf(url, shownMax), { key: ({ host }) => host, texts: ({ host }) => [host] })
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
  const { timezone } = account.settings
  const reserved = call.caller.isOwner ? await reservedPart(box, { accountId: account.id, timezone }) : null
  return {
    title: 'Domains',
    body: html`${faultLine(fault ?? null)}${checked === undefined ? null : doneNote(html`<p>Checked ${checked.host} just now: ${checked.reason === '' ? 'no problem found.' : reasonWords(checked)}</p>`)}
${cards.length === 0 ? html`<p>No domain yet. Add the first to <code>domains</code> in <code>site.toml</code>.</p>` : html`<ul class="places">${cards}</ul>`}${listWays(url, { api: `/accounts/${account.handle}/domains`, next })}
${await suffixesPart(call, box)}${reserved}`,
  }
}

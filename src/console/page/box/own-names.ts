import { html, type Markup } from '../../../lib/html.ts'
import { dnsRecords } from '../../../operations/domain/dns-records.ts'
import { domainJson } from '../../../operations/domain/domain-json.ts'
import { listOwnNames } from '../../../operations/domain/list-domains.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { domainCard } from '../domain/domain-card.ts'
import { csvLink } from '../list-parts.ts'

/** The box's own names, for previews and the console; each account has a page for its names. */
export async function ownNames(box: ConsoleBox): Promise<Markup> {
  const { domains, persistRecords } = await listOwnNames(box)
  const hosts = domains.map(({ host }) => host)
  const records = new Map(dnsRecords(hosts, box).map((of) => [of.host, of]))
  const cards = domains.map((domain) =>
    domainCard(domainJson(domain, persistRecords.get(domain.host) ?? null), {
      records: records.get(domain.host) ?? null,
      timezone: 'UTC',
      isActed: true,
    }),
  )
  return html`<h2 id="names">Names of the box</h2><ul class="places">${cards}</ul>
<p class="more">${csvLink('/domains', { text: 'All names as CSV' })}</p>`
}

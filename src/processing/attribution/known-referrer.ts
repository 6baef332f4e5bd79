import searchEngines from './known/search-engines.json'
import socialNetworks from './known/social-networks.json'
import webmail from './known/webmail.json'
import type { Origin } from './touch.ts'

type Known = Origin | 'none of these'
type HostLists = Readonly<Record<string, readonly string[]>>

/** Hosts, each standing for all its subdomains as well. */
const known: ReadonlyMap<string, Known> = new Map<string, Known>([
  ...listed(searchEngines.hosts, 'organic'),
  ...searchEngines.otherHosts.map((host) => [host, 'none of these'] as const),
  ...listed(socialNetworks.hosts, 'social'),
  ...listed(webmail.hosts, 'email'),
])

/** The ending that `*` stands for in the lists. */
const anyCountry = /\.(?:(?:com?|org|net|ne|or)\.[a-z]{2}|[a-z]{2}|com|net|org|cat)$/

/** Classifies a referring host: search engine, social network, webmail, or just another site. */
export const knownReferrer = (host: string): Origin =>
  nearest(host) ?? { source: host.startsWith('www.') ? host.slice('www.'.length) : host, medium: 'referral' }

/** The longest listed suffix of the host decides, so that mail.google.com is not a search engine. */
function nearest(host: string): Origin | null {
  const ofAnyCountry = host.replace(anyCountry, '.*')
  for (let start = 0; ; ) {
    const found = known.get(host.slice(start)) ?? known.get(ofAnyCountry.slice(start))
    if (found !== undefined) return found === 'none of these' ? null : found
    const dot = host.indexOf('.', start)
    if (dot === -1) return null
    start = dot + 1
  }
}

function listed(lists: HostLists, medium: string): [host: string, origin: Origin][] {
  return Object.entries(lists).flatMap(([source, hosts]) =>
    hosts.map((host): [string, Origin] => [host, { source, medium }]),
  )
}

import type { JsonValue } from '../../lib/json-value.ts'
import type { ProcessedAccount } from '../ledger-item.ts'
import searchEngines from './known/search-engines.json'
import socialNetworks from './known/social-networks.json'
import webmail from './known/webmail.json'
import type { Hit, Origin } from './touch.ts'

export interface Referrer {
  /** Lower-case, without port. */
  host: string
  url: string
}

/** Limit for host names (RFC 1035); longer ones are ignored. */
const hostCharsMax = 253
/** Longer statements of a page are not parsed at all. */
const statedCharsMax = 8192
const hostPattern = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])$/

/**
 * The page that led to the record's page, unless it belongs to the account: connected domains, allowlisted origins and
 * the host itself are ignored. An event's request is referred by the page on which the event happened, so its header
 * says nothing; only the page knows where the visitor came from (`properties.referrer` of a `$pageview`).
 */
export function foreignReferrer(hit: Hit, account: ProcessedAccount): Referrer | null {
  const referrer = hit.kind === 'event' ? statedByPage(hit) : statedByRequest(hit.source.referer)
  return referrer === null || isOwn(referrer.host, hit, account) ? null : referrer
}

/** The header was cleaned and serialised when it was captured. */
function statedByRequest(referer: string | null): Referrer | null {
  if (referer === null) return null
  const start = referer.indexOf('//') + 2
  const end = referer.indexOf('/', start)
  return referrerAt(end === -1 ? referer.slice(start) : referer.slice(start, end), referer)
}

/** What a page states was never cleaned, so only its origin is taken. */
function statedByPage(hit: Extract<Hit, { kind: 'event' }>): Referrer | null {
  if (hit.event !== '$pageview') return null
  const stated: JsonValue | undefined = hit.properties.referrer
  if (typeof stated !== 'string' || stated.length > statedCharsMax) return null
  const parsed = URL.parse(stated)
  if (parsed === null || (parsed.protocol !== 'https:' && parsed.protocol !== 'http:')) return null
  return referrerAt(parsed.hostname, `${parsed.origin}/`)
}

function referrerAt(authority: string, url: string): Referrer | null {
  const host = hostOf(authority)
  return host.length <= hostCharsMax && hostPattern.test(host) ? { host, url } : null
}

function isOwn(host: string, hit: Hit, { domains, origins }: ProcessedAccount): boolean {
  if (host === hostOf(hit.source.host) || domains.includes(host) || origins.allowsHost(host)) return true
  const visited = hit.kind === 'event' ? hit.properties.host : hit.kind === 'page_view' ? hit.host : null
  return typeof visited === 'string' && host === hostOf(visited)
}

/** Without port and the root zone's dot. */
const hostOf = (authority: string): string => authority.replace(/:\d+$/, '').replace(/\.$/, '')

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

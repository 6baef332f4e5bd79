import type { JsonValue } from '../../lib/json-value.ts'
import type { ProcessedAccount } from '../processed-account.ts'
import type { Hit } from './touch.ts'

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

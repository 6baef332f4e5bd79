import type { PageVersion } from '../account/split.ts'
import type { RequestSource } from '../ledger/entry.ts'
import { truncatedAddress } from '../lib/ip.ts'
import type { SiteRequest } from './site-request.ts'
import type { UrlCleaner } from './url/url-cleaner.ts'

/** Characters kept of a user agent, and of an origin. */
const userAgentCharactersMax = 512
const originCharactersMax = 300

/** The origin of a request, as far as the account stores it. */
export function requestSource(
  { request, account, host, clientAddress }: SiteRequest,
  urls: UrlCleaner,
  version: PageVersion | null = null,
): RequestSource {
  const { headers } = request
  const referer = headers.get('referer')
  const source = {
    ip: keptAddress(clientAddress, account.settings.storeIp),
    userAgent: recordedAgent(request),
    origin: headers.get('origin')?.slice(0, originCharactersMax) ?? null,
    referer: referer === null ? null : (urls.cleanRecurring(referer)?.url ?? null),
    host,
  }
  return version === null ? source : { ...source, split: version.split.page, variant: version.variant }
}

export const recordedAgent = ({ headers }: Request): string | null =>
  headers.get('user-agent')?.slice(0, userAgentCharactersMax) ?? null

function keptAddress(address: string, storeIp: SiteRequest['account']['settings']['storeIp']): string | null {
  if (storeIp === 'full') return address
  return storeIp === 'truncated' ? truncatedAddress(address) : null
}

/** A record is `test` exactly when its `Origin` is the preview host's (docs/previews.md). */
export function sentByTestPage(origin: string | null, previewHost: string): boolean {
  if (origin === null) return false
  const start = origin.indexOf('://') + 3
  if (!origin.startsWith(previewHost, start)) return false
  const end = start + previewHost.length
  return end === origin.length || origin[end] === ':'
}

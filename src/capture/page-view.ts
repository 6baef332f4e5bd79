import type { PageVersion } from '../account/split.ts'
import type { PageView } from '../ledger/entry.ts'
import { newId } from '../lib/id.ts'
import { requestTarget } from '../lib/request-target.ts'
import type { SiteRequest } from './site-request.ts'
import { requestSource } from './source.ts'
import type { UrlCleaner } from './url/url-cleaner.ts'

interface PageServing {
  slug: string
  /** Hash of the bytes that were served. */
  sha256: string
  deviceId: string
  /** `null`: no split chose the page. */
  version: PageVersion | null
  /** Epoch milliseconds. */
  servedAt: number
}

/** A landing page's view, recorded at the edge without a client script (spec, Landing page). */
export function pageView(
  asked: SiteRequest,
  { slug, sha256, deviceId, version, servedAt }: PageServing,
  urls: UrlCleaner,
): PageView {
  const own = ownAddress(asked, urls)
  return {
    kind: 'page_view',
    id: newId(),
    accountId: asked.account.id,
    receivedAt: servedAt,
    test: false,
    source: requestSource(asked, urls, version),
    deviceId,
    slug,
    sha256,
    ...own,
  }
}

/** The page's address as the visitor sees it: behind a proxy its scheme and host are the proxy's. */
function ownAddress(
  { request, ownOrigin, host }: SiteRequest,
  urls: UrlCleaner,
): Pick<PageView, 'url' | 'path' | 'host' | 'attribution'> {
  const raw = ownOrigin + requestTarget(request)
  return urls.cleanRecurring(raw) ?? { url: ownOrigin, path: '/', host, attribution: {} }
}

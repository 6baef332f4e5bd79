import type { PageView } from '../ledger/entry.ts'
import { newId } from '../lib/id.ts'
import { requestTarget } from '../lib/request-target.ts'
import { requestSource } from './source.ts'
import type { UrlCleaner } from './url/url-cleaner.ts'
import type { Visit } from './visit.ts'

interface PageServing {
  slug: string
  /** Hash of the bytes that were served. */
  sha256: string
  deviceId: string
  /** Epoch milliseconds. */
  servedAt: number
}

/** A landing page's view, recorded at the edge without a client script (spec, Landing page). */
export function pageView(visit: Visit, { slug, sha256, deviceId, servedAt }: PageServing, urls: UrlCleaner): PageView {
  const own = ownAddress(visit, urls)
  return {
    kind: 'page_view',
    id: newId(),
    accountId: visit.account.id,
    receivedAt: servedAt,
    test: false,
    source: requestSource(visit, urls),
    deviceId,
    slug,
    sha256,
    ...own,
  }
}

/** The page's address as the visitor sees it: behind a proxy its scheme and host are the proxy's. */
function ownAddress(
  { request, ownOrigin, host }: Visit,
  urls: UrlCleaner,
): Pick<PageView, 'url' | 'path' | 'host' | 'attribution'> {
  const raw = ownOrigin + requestTarget(request)
  return urls.cleanRecurring(raw) ?? { url: ownOrigin, path: '/', host, attribution: {} }
}

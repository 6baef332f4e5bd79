import type { Asset } from '../../asset/asset.ts'
import { viewBudgets } from '../../capture/budgets.ts'
import { pageView } from '../../capture/page-view.ts'
import type { SiteRequest } from '../../capture/site-request.ts'
import { newId } from '../../lib/id.ts'
import type { HeaderRecord } from '../answer/answers.ts'
import { smallPage } from '../answer/small-page.ts'
import { newIdentityCookie, type SiteArrival, siteRequestOf } from '../arrival.ts'
import type { AssetServer } from '../assets/serve-asset.ts'
import type { ListenerParts } from '../listener-parts.ts'
import { notHere } from '../router.ts'

/** `GET /<slug>`, and `GET /` for the account's home. */
export function pageRoute(parts: ListenerParts, assets: AssetServer) {
  return (arrival: SiteArrival, params: Record<string, string>): Response | Promise<Response> => {
    const { request, site } = arrival
    const slug = params.slug ?? site.account.settings.home
    const page = slug === null ? undefined : site.pages.get(slug)
    if (page === undefined) return notHere(arrival)

    const seen = request.method === 'GET' && !isPrefetch(request)
    const asked = seen ? siteRequestOf(arrival, parts) : null
    const deviceId = asked === null ? null : (asked.deviceId ?? newId())
    const cookie = asked === null || deviceId === null ? null : newIdentityCookie(asked, deviceId, parts)
    const headers = () => pageHeaders(site.account.settings.robots)
    const answer = assets.answer({ arrival, asset: page, surface: 'live', headers, cookie, ranges: false })
    const view = asked === null || deviceId === null ? null : { asked, page, deviceId }
    return answer instanceof Promise
      ? answer.then((response) => served(response, view, parts))
      : served(answer, view, parts)
  }
}

/** Prefetching browsers get no view and no cookie (Fetch, `Sec-Purpose`; older: `Purpose`, `X-Moz`). */
function isPrefetch({ headers }: Request): boolean {
  const purpose = headers.get('sec-purpose') ?? headers.get('purpose') ?? headers.get('x-moz')
  return purpose?.includes('prefetch') ?? false
}

function pageHeaders(robots: string | null): HeaderRecord {
  const headers: HeaderRecord = {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'private, no-cache',
    'x-content-type-options': 'nosniff',
    // What browsers do by default since 2021; a page's own <meta name="referrer"> still decides.
    'referrer-policy': 'strict-origin-when-cross-origin',
  }
  if (robots !== null) headers['x-robots-tag'] = robots
  return headers
}

interface SeenPage {
  asked: SiteRequest
  page: Asset
  deviceId: string
}

function served(response: Response | null, view: SeenPage | null, parts: ListenerParts): Response {
  if (response === null) return lostPage()
  if (view !== null) void recordView(view, parts)
  return response
}

/**
 * Records the view while answering, not before: a page is served even if its view cannot be stored or the caller's budget is used
 * up.
 */
async function recordView({ asked, page, deviceId }: SeenPage, parts: ListenerParts): Promise<void> {
  const { budgets, clock, ledger, limits, refusals, room, urls } = parts
  const { name: slug, current } = page
  // Build the record before any await: after the answer, the request may be gone.
  const view = pageView(asked, { slug, sha256: current.sha256, deviceId, servedAt: clock.now() }, urls)
  const unrecorded = (check: 'storage' | 'budget') =>
    refusals.add(asked.account.id, { endpoint: 'page', check, origin: null })
  if ((await budgets.take(viewBudgets(asked, limits))) > 0) return unrecorded('budget')
  if (!room.storesPageViews) return unrecorded('storage')
  await ledger.appendSoon([view]).catch(() => unrecorded('storage'))
}

/** The store has lost its bytes. */
export const lostPage = (): Response =>
  smallPage({ status: 503, title: 'Back in a moment', text: 'This page cannot be shown right now.' })

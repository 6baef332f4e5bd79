import type { PageVersion } from '../../account/split.ts'
import { viewBudgets } from '../../capture/budgets.ts'
import { isIgnored } from '../../capture/ignored.ts'
import { newDeviceFor, versionFor } from '../../capture/page-version.ts'
import { pageView } from '../../capture/page-view.ts'
import type { SiteRequest } from '../../capture/site-request.ts'
import { textsOf } from '../../language/language.ts'
import { languageFor, type SmallPageReader, smallPage } from '../answer/small-page.ts'
import { newIdentityCookie, type SiteArrival, siteRequestOf } from '../arrival.ts'
import type { AssetServer } from '../assets/serve-asset.ts'
import type { ListenerParts } from '../listener-parts.ts'
import type { SiteHandler } from '../router.ts'
import { pageHeaders } from './page-headers.ts'

/** `GET /<slug>`, and `GET /` for the account's home. @param noPage answers where neither is */
export function pageRoute(parts: ListenerParts, assets: AssetServer, noPage: SiteHandler): SiteHandler {
  return (arrival, params) => {
    const { request, site } = arrival
    const slug = params.slug ?? site.account.settings.home
    const page = slug === null ? undefined : site.pages.get(slug)
    if (page === undefined) return noPage(arrival, params)

    const seen = request.method === 'GET' && !isPrefetch(request)
    const split = site.splits.of(page.name)
    const asked = seen || split !== null ? siteRequestOf(arrival, parts) : null
    const version = asked === null || split === null ? null : versionFor(asked, { split, kind: 'page_view' }, parts)
    const asset = version === null ? page : (site.pages.get(version.page) ?? page)
    const deviceId = asked === null || !seen ? null : (asked.deviceId ?? newDeviceFor(version))
    const cookie = asked === null || deviceId === null ? null : newIdentityCookie(asked, deviceId, parts)
    const headers = () => pageHeaders(site.account.settings.robots)
    const answer = assets.answer({ arrival, asset, surface: 'live', headers, cookie, ranges: false })
    const { sha256 } = asset.current
    const isCounted = asked !== null && deviceId !== null && !isIgnored(asked)
    const view = isCounted ? { asked, slug: page.name, sha256, deviceId, version } : null
    return answer instanceof Promise
      ? answer.then((response) => served(response, { arrival, view }, parts))
      : served(answer, { arrival, view }, parts)
  }
}

/** Prefetching browsers get no view and no cookie (Fetch, `Sec-Purpose`; older: `Purpose`, `X-Moz`). */
function isPrefetch({ headers }: Request): boolean {
  const purpose = headers.get('sec-purpose') ?? headers.get('purpose') ?? headers.get('x-moz')
  return purpose?.includes('prefetch') ?? false
}

interface SeenPage {
  asked: SiteRequest
  slug: string
  sha256: string
  deviceId: string
  version: PageVersion | null
}

function served(
  response: Response | null,
  { arrival, view }: { arrival: SiteArrival; view: SeenPage | null },
  parts: ListenerParts,
): Response {
  if (response === null) return lostPage(arrival)
  if (view !== null) void recordView(view, parts)
  return response
}

/**
 * Records the view while answering, not before: a page is served even if its view cannot be stored or the caller's budget is used
 * up.
 */
async function recordView({ asked, ...seen }: SeenPage, parts: ListenerParts): Promise<void> {
  const { budgets, clock, ledger, limits, refusals, room, urls } = parts
  // Build the record before any await: after the answer, the request may be gone.
  const view = pageView(asked, { ...seen, servedAt: clock.now() }, urls)
  const unrecorded = (check: 'storage' | 'budget') =>
    refusals.add(asked.account.id, { endpoint: 'page', check, origin: null })
  if ((await budgets.take(viewBudgets(asked, limits))) > 0) return unrecorded('budget')
  if (!room.storesPageViews) return unrecorded('storage')
  await ledger.appendSoon([view]).catch(() => unrecorded('storage'))
}

/** The store has lost its bytes. */
export function lostPage(reader: SmallPageReader): Response {
  const language = languageFor(reader)
  return smallPage({ status: 503, language, ...textsOf(language).smallPages.pageLost })
}

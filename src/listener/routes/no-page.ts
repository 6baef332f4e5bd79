import type { Asset } from '../../asset/asset.ts'
import type { Onward } from '../../asset/redirects.ts'
import { wayOf } from '../../asset/ways.ts'
import { requestTarget } from '../../lib/request-target.ts'
import { methodNotAllowed } from '../answer/answers.ts'
import type { SiteArrival } from '../arrival.ts'
import type { AssetServer } from '../assets/serve-asset.ts'
import type { ListenerParts } from '../listener-parts.ts'
import { notHere } from '../router.ts'
import { pageHeaders } from './page-headers.ts'

/** Paths of the service, which answers there in its own name. */
const servicePath = /^\/_svc(?:[/?#]|$)/
const assetPath = /^\/assets\/[^?#]/

/** Answers on a connected domain where no page is: with a redirect, the account's page for that, or the service's. */
export function noPage({ missing }: Pick<ListenerParts, 'missing'>, assets: AssetServer) {
  return (arrival: SiteArrival): Response | Promise<Response> => {
    const { request, site } = arrival
    const target = requestTarget(request)
    const way = wayOf(site.ways, target)
    if (way.to === 'redirect') return redirected(way, request.method)
    const reads = request.method === 'GET' || request.method === 'HEAD'
    if (!reads && assetPath.test(target)) return methodNotAllowed('GET, HEAD')
    if (!reads || servicePath.test(target)) return notHere(arrival)
    if (request.method === 'GET') missing.add(request, site.account)
    return site.errorPage === null ? notHere(arrival) : shownInstead(site.errorPage, arrival, assets)
  }
}

/** Only 307 and 308 keep a request's method and body (RFC 9110 section 15.4). */
function redirected({ location, status }: Onward, method: string): Response {
  const isKept = status === 307 || status === 308
  if (!isKept && method !== 'GET' && method !== 'HEAD') return methodNotAllowed('GET, HEAD')
  // Browsers keep 301 and 308 for ever unless told otherwise, and the folder may change its mind.
  return new Response(null, { status, headers: { location, 'cache-control': 'private, no-cache' } })
}

async function shownInstead(asset: Asset, arrival: SiteArrival, assets: AssetServer): Promise<Response> {
  const headers = () => pageHeaders('noindex')
  const answer = await assets.answer({ arrival, asset, surface: 'live', headers, ranges: false, status: 404 })
  return answer ?? notHere(arrival)
}

import type { Asset, AssetKind } from '../../asset/asset.ts'
import type { LiveSite } from '../../asset/live-site.ts'
import { previewPath, previewPrefixes } from '../../asset/preview-path.ts'
import { targetUrl } from '../../lib/request-target.ts'
import type { Arrival } from '../arrival.ts'
import type { ListenerParts } from '../listener-parts.ts'
import { notHere } from '../on-site.ts'
import { forgottenVersion, judgedLink, refusedLink } from '../preview-links.ts'
import type { AssetServer } from '../serve-asset.ts'
import { surfaceHeaders } from '../surface-headers.ts'
import { answerDownload, named } from './download-routes.ts'
import { lostPage } from './page-route.ts'

const surface = 'preview'

type Params = Record<string, string>
type Answer = Response | Promise<Response>

/** The preview host's routes: signed, expiring, never indexed, capturing nothing (docs/previews.md). */
export function previewRoutes(parts: ListenerParts, assets: AssetServer) {
  const page = signedRoute(parts, 'page', async (arrival, asset) => {
    const headers = () => ({ 'content-type': 'text/html; charset=utf-8', ...surfaceHeaders.preview })
    return (await assets.answer({ arrival, asset, surface, headers, ranges: false })) ?? lostPage()
  })
  const download = (arrival: Arrival, asset: Asset) => answerDownload(assets, { arrival, asset, surface })
  const referred =
    (of: 'images' | 'files') =>
    (arrival: Arrival, params: Params): Answer => {
      const asset = named(referringSite(arrival, parts)?.[of] ?? new Map(), params['*'])
      return asset === null ? notHere(arrival) : download(arrival, asset)
    }
  return {
    page,
    image: signedRoute(parts, 'image', download),
    file: signedRoute(parts, 'file', download),
    referredImage: referred('images'),
    referredFile: referred('files'),
  }
}

/** Shows the asset of a signed address: its signed version, else the current one. */
function signedRoute(parts: ListenerParts, kind: AssetKind, show: (arrival: Arrival, asset: Asset) => Answer) {
  return async (arrival: Arrival, { id = '' }: Params): Promise<Response> => {
    const site = parts.directory.siteOfAsset(id)
    const asset = site?.byId.get(id)
    if (!site || asset?.kind !== kind) return refusedLink()
    const link = judgedLink(parts, {
      accountId: site.account.id,
      path: previewPath(asset),
      query: targetUrl(arrival.request).searchParams,
    })
    if (link.verdict !== 'valid') return refusedLink(link, { site, ownOrigin: arrival.ownOrigin })
    const { version } = link
    if (version === null || version === asset.current.number) return show(arrival, asset)
    const kept = await parts.catalogue.versions(id)
    const current = kept.find(({ number }) => number === version)
    return current === undefined
      ? forgottenVersion(version, { site, ownOrigin: arrival.ownOrigin })
      : show(arrival, { ...asset, current })
  }
}

/**
 * Images and files of a previewed page. They require a Referer with a valid, unexpired preview address of this host, which
 * determines the account.
 */
function referringSite({ request, ownOrigin }: Arrival, parts: ListenerParts): LiveSite | null {
  const referer = request.headers.get('referer')
  if (referer === null || !URL.canParse(referer)) return null
  const { origin, pathname, searchParams } = new URL(referer)
  if (origin !== ownOrigin || !pathname.startsWith(previewPrefixes.page)) return null
  const site = parts.directory.siteOfAsset(pathname.slice(pathname.lastIndexOf('/') + 1))
  if (site === null) return null
  const link = judgedLink(parts, { accountId: site.account.id, path: pathname, query: searchParams })
  return link.verdict === 'valid' ? site : null
}

import type { Asset, AssetKind } from '../../asset/asset.ts'
import type { LiveSite } from '../../asset/live-site.ts'
import { previewPath, previewPrefixes } from '../../asset/preview-path.ts'
import { signedPreviewQuery, type ValidPreview } from '../../asset/preview-signature.ts'
import { targetUrl } from '../../lib/request-target.ts'
import type { PreviewArrival } from '../arrival.ts'
import type { ListenerParts } from '../listener-parts.ts'
import { notHere } from '../on-site.ts'
import { forgottenVersion, judgedLink, refusedLink } from '../preview-links.ts'
import type { AssetServer } from '../serve-asset.ts'
import { withSignedReferences } from '../signed-references.ts'
import { surfaceHeaders } from '../surface-headers.ts'
import { answerDownload, named } from './download-routes.ts'
import { lostPage } from './page-route.ts'

const surface = 'preview'
const htmlType = 'text/html; charset=utf-8'

type Params = Record<string, string>
type Answer = Response | Promise<Response>

/** What a valid address shows. */
interface Shown {
  asset: Asset
  site: LiveSite
  link: ValidPreview
}

/**
 * The preview hosts' routes: signed, expiring, never indexed, capturing nothing (docs/previews.md). A page has the origin of
 * its account's own host, or none that anything else shares.
 */
export function previewRoutes(parts: ListenerParts, assets: AssetServer) {
  const page = signedRoute(parts, 'page', async (arrival, shown) => {
    const surface = arrival.only === null ? 'sandboxed' : 'preview'
    const headers = () => ({ 'content-type': htmlType, ...surfaceHeaders[surface] })
    if (surface === 'sandboxed' && isForBrowser(arrival.request)) return forBrowser(shown, { parts, assets, headers })
    return (await assets.answer({ arrival, asset: shown.asset, surface, headers, ranges: false })) ?? lostPage()
  })
  const download = (arrival: PreviewArrival, asset: Asset) => answerDownload(assets, { arrival, asset, surface })
  const signedDownload = (arrival: PreviewArrival, { asset }: Shown) => download(arrival, asset)
  const referred =
    (of: 'images' | 'files') =>
    (arrival: PreviewArrival, params: Params): Answer => {
      const asset = named(referringSite(arrival, parts)?.[of] ?? new Map(), params['*'])
      return asset === null ? notHere(arrival) : download(arrival, asset)
    }
  return {
    page,
    image: signedRoute(parts, 'image', signedDownload),
    file: signedRoute(parts, 'file', signedDownload),
    referredImage: referred('images'),
    referredFile: referred('files'),
  }
}

/** Browsers say so (Fetch Metadata, `Sec-Fetch-Dest`); programs get the very bytes of the version. */
const isForBrowser = ({ method, headers }: Request): boolean => method === 'GET' && headers.has('sec-fetch-dest')

/** The page with signed addresses in place of references that need a Referer: a sandboxed page sends none. */
async function forBrowser(
  { asset, site, link }: Shown,
  { parts, assets, headers }: { parts: ListenerParts; assets: AssetServer; headers: () => Record<string, string> },
): Promise<Response> {
  const body = await assets.published(asset)
  if (body === null) return lostPage()
  const keys = parts.directory.signingKeys
  const expiresAtSeconds = link.expiresAt / 1000
  const addressOf = (asset: Asset): string => {
    const path = previewPath(asset)
    return `${path}?${signedPreviewQuery({ accountId: site.account.id, path }, expiresAtSeconds, keys)}`
  }
  return new Response(withSignedReferences(await body.text(), site, addressOf), { headers: headers() })
}

/** Shows the asset of a signed address: its signed version, else the current one. */
function signedRoute(
  parts: ListenerParts,
  kind: AssetKind,
  show: (arrival: PreviewArrival, shown: Shown) => Promise<Response>,
) {
  return async (arrival: PreviewArrival, { id = '' }: Params): Promise<Response> => {
    const site = parts.directory.siteOfAsset(id)
    const asset = site?.byId.get(id)
    if (!site || asset?.kind !== kind || !isShownOn(arrival, site)) return refusedLink()
    const link = judgedLink(parts, {
      accountId: site.account.id,
      path: previewPath(asset),
      query: targetUrl(arrival.request).searchParams,
    })
    if (link.verdict !== 'valid') return refusedLink(link, { site, ownOrigin: arrival.ownOrigin })
    const { version } = link
    if (version === null || version === asset.current.number) return show(arrival, { asset, site, link })
    const kept = await parts.catalogue.versions(id)
    const current = kept.find(({ number }) => number === version)
    return current === undefined
      ? forgottenVersion(version, { site, ownOrigin: arrival.ownOrigin })
      : show(arrival, { asset: { ...asset, current }, site, link })
  }
}

/** One account's host shows that account's previews alone: each page there shares its origin. */
const isShownOn = ({ only }: PreviewArrival, { account }: LiveSite): boolean =>
  only === null || only.account.id === account.id

/**
 * Images and files of a previewed page. They require a Referer with a valid, unexpired preview address of this host, which
 * determines the account.
 */
function referringSite(arrival: PreviewArrival, parts: ListenerParts): LiveSite | null {
  const referer = arrival.request.headers.get('referer')
  if (referer === null || !URL.canParse(referer)) return null
  const { origin, pathname, searchParams } = new URL(referer)
  if (origin !== arrival.ownOrigin || !pathname.startsWith(previewPrefixes.page)) return null
  const site = parts.directory.siteOfAsset(pathname.slice(pathname.lastIndexOf('/') + 1))
  if (site === null || !isShownOn(arrival, site)) return null
  const link = judgedLink(parts, { accountId: site.account.id, path: pathname, query: searchParams })
  return link.verdict === 'valid' ? site : null
}

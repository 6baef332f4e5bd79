import type { Asset } from '../../asset/asset.ts'
import { type AddressedKind, assetKinds, contentPath, treatedAs } from '../../asset/asset-kind.ts'
import type { LiveSite } from '../../asset/live-site.ts'
import { previewPath } from '../../asset/preview-host.ts'
import { signedPreviewQuery, signedSitePath, type ValidPreview } from '../../asset/preview-signature.ts'
import { targetUrl } from '../../lib/request-target.ts'
import type { PreviewArrival } from '../arrival.ts'
import { type AssetServer, surfaceHeaders } from '../assets/serve-asset.ts'
import type { ListenerParts } from '../listener-parts.ts'
import { answerDownload } from './download-routes.ts'
import { forgottenVersion, isShownOn, judgedLink, refusedLink } from './judged-link.ts'
import { lostPage } from './page-route.ts'
import { referredRoutes } from './referred-routes.ts'
import { withSignedReferences } from './signed-references.ts'

type Params = Record<string, string>

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
    const headers = () => ({ 'content-type': assetKinds.page.mediaType(), ...surfaceHeaders[surface] })
    if (surface === 'sandboxed' && isForBrowser(arrival.request)) return forBrowser(shown, { parts, assets, headers })
    return (
      (await assets.answer({ arrival, asset: shown.asset, surface, headers, ranges: false })) ??
      lostPage({ ...arrival, site: shown.site })
    )
  })
  const download = (arrival: PreviewArrival, { asset }: Pick<Shown, 'asset'>) =>
    answerDownload(assets, { arrival, asset, surface: 'preview' })
  return {
    page,
    image: signedRoute(parts, 'image', download),
    file: signedRoute(parts, 'file', download),
    asset: signedRoute(parts, 'asset', download),
    ...referredRoutes(parts, assets),
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
  if (body === null) return lostPage({ site })
  const keys = parts.directory.signingKeys
  const expiresAtSeconds = link.expiresAt / 1000
  const sitePath = signedSitePath(site.account, expiresAtSeconds, keys)
  const addressOf = (asset: Asset): string => {
    // A stylesheet refers to fonts relatively, so its signature is part of its path.
    if (asset.kind === 'asset') return sitePath + contentPath(asset.kind, asset.name).replace(/['()]/g, percentEncoded)
    const path = previewPath(asset)
    return `${path}?${signedPreviewQuery({ accountId: site.account.id, path }, expiresAtSeconds, keys)}`
  }
  return new Response(withSignedReferences(await body.text(), site, addressOf), { headers: headers() })
}

/** Of what would end a reference in a style or in quotes. */
const percentEncoded = (mark: string): string => `%${mark.charCodeAt(0).toString(16)}`

/** Shows the asset of a signed address: its signed version, else the current one. */
function signedRoute(
  parts: ListenerParts,
  kind: AddressedKind,
  show: (arrival: PreviewArrival, shown: Shown) => Promise<Response>,
) {
  return async (arrival: PreviewArrival, { id = '' }: Params): Promise<Response> => {
    const site = parts.directory.siteOfAsset(id)
    const asset = site?.byId.get(id)
    if (!site || asset === undefined || treatedAs(asset.kind) !== kind || !isShownOn(arrival, site))
      return refusedLink(arrival)
    const link = judgedLink(parts, {
      accountId: site.account.id,
      path: previewPath(asset),
      query: targetUrl(arrival.request).searchParams,
    })
    if (link.verdict !== 'valid') return refusedLink(arrival, { judgement: link, site })
    const { version } = link
    if (version === null || version === asset.current.number) return show(arrival, { asset, site, link })
    const kept = await parts.catalogue.versions(id)
    const current = kept.find(({ number }) => number === version)
    return current === undefined
      ? forgottenVersion(arrival, { version, site })
      : show(arrival, { asset: { ...asset, current }, site, link })
  }
}

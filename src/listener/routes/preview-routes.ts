import type { Asset } from '../../asset/asset.ts'
import type { LiveSite } from '../../asset/live-site.ts'
import { previewVerified } from '../../asset/preview-signature.ts'
import type { Arrival } from '../arrival.ts'
import type { ListenerParts } from '../listener-parts.ts'
import { notHere } from '../on-site.ts'
import type { AssetServer } from '../serve-asset.ts'
import { smallPage } from '../small-page.ts'
import { answerFile, answerImage, named, surfaceHeaders } from './download-routes.ts'

const pathPrefixes = { page: '/_preview/', image: '/_preview/img/', file: '/_preview/file/' } as const
const surface = 'preview'

/** The preview host's routes: signed, expiring, never indexed, capturing nothing (contract section 4, "Preview"). */
export function previewRoutes(parts: ListenerParts, assets: AssetServer) {
  const page = async ({ request }: Arrival, { id = '' }: Record<string, string>): Promise<Response> => {
    const asset = signedAsset(parts, { request, id, kind: 'page' })
    if (asset === null) return refused()
    const headers = () => ({ 'content-type': 'text/html; charset=utf-8', ...surfaceHeaders.preview })
    return (await assets.answer({ request, asset, surface, headers, ranges: false })) ?? notHere()
  }
  const image = ({ request }: Arrival, { id = '' }: Record<string, string>): Promise<Response> | Response => {
    const asset = signedAsset(parts, { request, id, kind: 'image' })
    return asset === null ? refused() : answerImage(assets, { request, image: asset, surface })
  }
  const file = ({ request }: Arrival, { id = '' }: Record<string, string>): Promise<Response> | Response => {
    const asset = signedAsset(parts, { request, id, kind: 'file' })
    return asset === null ? refused() : answerFile(assets, { request, file: asset, surface })
  }
  const referredImage = (arrival: Arrival, params: Record<string, string>): Promise<Response> | Response => {
    const asset = named(referringSite(arrival, parts)?.images ?? new Map(), params['*'])
    return asset === null ? notHere() : answerImage(assets, { request: arrival.request, image: asset, surface })
  }
  const referredFile = (arrival: Arrival, params: Record<string, string>): Promise<Response> | Response => {
    const asset = named(referringSite(arrival, parts)?.files ?? new Map(), params['*'])
    return asset === null ? notHere() : answerFile(assets, { request: arrival.request, file: asset, surface })
  }
  return { page, image, file, referredImage, referredFile }
}

interface SignedRequest {
  request: Request
  id: string
  kind: Asset['kind']
}

function signedAsset(parts: ListenerParts, { request, id, kind }: SignedRequest): Asset | null {
  const site = parts.directory.siteOfAsset(id)
  const asset = site?.byId.get(id)
  if (!site || asset?.kind !== kind) return null
  return isSigned(parts, site, { path: pathPrefixes[kind] + id, url: request.url }) ? asset : null
}

/**
 * A previewed page's own images and files: they answer only where the Referer is a valid, unexpired preview address
 * of this host, and then from that page's account.
 */
function referringSite({ request, ownOrigin }: Arrival, parts: ListenerParts): LiveSite | null {
  const referer = request.headers.get('referer')
  if (referer === null || !URL.canParse(referer)) return null
  const { origin, pathname } = new URL(referer)
  if (origin !== ownOrigin || !pathname.startsWith(pathPrefixes.page)) return null
  const site = parts.directory.siteOfAsset(pathname.slice(pathname.lastIndexOf('/') + 1))
  return site && isSigned(parts, site, { path: pathname, url: referer }) ? site : null
}

function isSigned(
  { directory, clock }: ListenerParts,
  site: LiveSite,
  { path, url }: { path: string; url: string },
): boolean {
  const address = { accountId: site.account.id, path }
  return previewVerified(address, new URL(url).searchParams, { keys: directory.signingKeys, now: clock.now() })
}

const refused = (): Response =>
  smallPage({
    status: 403,
    title: 'This preview link does not work',
    text: 'It has expired, or it was not copied whole. Ask whoever sent it to you for a new one.',
    headers: surfaceHeaders.preview,
  })

import type { Asset } from '../../asset/asset.ts'
import { assetKinds, type PathKind, treatedAs } from '../../asset/asset-kind.ts'
import { decodeAssetPath } from '../../asset/asset-name.ts'
import { attachment } from '../../lib/attachment.ts'
import { bare, type HeaderRecord } from '../answer/answers.ts'
import type { Arrival } from '../arrival.ts'
import { type AssetServer, type Surface, surfaceHeaders } from '../assets/serve-asset.ts'
import type { SiteHandler } from '../router.ts'

/** What a browser would run scripts of in the page's own origin, if it is opened by itself. */
const activeTypes: ReadonlySet<string> = new Set(['application/xml', 'image/svg+xml'])
const inactive = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

/** A page waits for its stylesheets and fonts: those of a day ago do while new ones are fetched (RFC 5861 section 3). */
const assetCaching = { 'cache-control': 'public, max-age=300, stale-while-revalidate=86400' }

/** `GET /_svc/img/<path>`, `GET /_svc/file/<path>` and `GET /assets/<path>` */
export function downloadRoute(assets: AssetServer, kind: PathKind, elsewhere: SiteHandler): SiteHandler {
  return (arrival, params) => {
    const asset = named(arrival.site.byPath[kind], params['*'])
    if (asset !== null && asset.current.state === 'live')
      return answerDownload(assets, { arrival, asset, surface: 'live' })
    return elsewhere(arrival, params)
  }
}

/** The asset that a URL's path names; nothing of a request ever becomes a path on the disk. */
export function named(assets: ReadonlyMap<string, Asset>, path: string | undefined): Asset | null {
  const name = path === undefined ? null : decodeAssetPath(path)
  return name === null ? null : (assets.get(name) ?? null)
}

export async function answerDownload(
  assets: AssetServer,
  { arrival, asset, surface }: { arrival: Arrival; asset: Asset; surface: Surface },
): Promise<Response> {
  const headers = () => ({
    ...kindHeaders(asset),
    ...surfaceHeaders[surface],
    ...(surface === 'live' && asset.kind === 'asset' && assetCaching),
    ...(surface === 'preview' && toSandboxes),
  })
  return (await assets.answer({ arrival, asset, surface, headers, ranges: true })) ?? bare(503)
}

/** Fonts and what scripts fetch need it in a sandboxed page. Whoever has the address may read what it shows in any case. */
export const toSandboxes: HeaderRecord = { 'access-control-allow-origin': '*' }

function kindHeaders({ kind, name }: Asset): HeaderRecord {
  const contentType = assetKinds[treatedAs(kind)].mediaType(name) ?? 'application/octet-stream'
  if (kind === 'file') {
    return {
      'content-type': contentType,
      'content-disposition': attachment(name.slice(name.lastIndexOf('/') + 1)),
    }
  }
  const policy: HeaderRecord = activeTypes.has(contentType) ? { 'content-security-policy': inactive } : {}
  return { 'content-type': contentType, ...policy }
}

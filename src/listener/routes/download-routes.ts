import type { Asset } from '../../asset/asset.ts'
import { decodeAssetPath } from '../../asset/asset-name.ts'
import { fileMediaType, imageMediaType } from '../../asset/media-type.ts'
import { bare, type HeaderRecord } from '../answer/answers.ts'
import type { Arrival, SiteArrival } from '../arrival.ts'
import { type AssetServer, type Surface, surfaceHeaders } from '../assets/serve-asset.ts'
import { notHere } from '../router.ts'

const svgPolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

/** `GET /_svc/img/<path>` and `GET /_svc/file/<path>` */
export function downloadRoute(assets: AssetServer, of: 'images' | 'files') {
  return (arrival: SiteArrival, params: Record<string, string>): Promise<Response> | Response => {
    const asset = named(arrival.site[of], params['*'])
    if (asset === null || asset.current.state !== 'live') return notHere(arrival)
    return answerDownload(assets, { arrival, asset, surface: 'live' })
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
  const ofKind = asset.kind === 'image' ? imageHeaders : fileHeaders
  const headers = () => ({
    ...ofKind(asset.name),
    ...surfaceHeaders[surface],
    ...(surface === 'preview' && toSandboxes),
  })
  return (await assets.answer({ arrival, asset, surface, headers, ranges: true })) ?? bare(503)
}

/** Fonts and what scripts fetch need it in a sandboxed page. Whoever has the address may read what it shows in any case. */
const toSandboxes: HeaderRecord = { 'access-control-allow-origin': '*' }

function imageHeaders(name: string): HeaderRecord {
  const contentType = imageMediaType(name) ?? 'application/octet-stream'
  const policy: HeaderRecord = contentType === 'image/svg+xml' ? { 'content-security-policy': svgPolicy } : {}
  return { 'content-type': contentType, ...policy }
}

const fileHeaders = (name: string): HeaderRecord => ({
  'content-type': fileMediaType(name),
  'content-disposition': attachment(name.slice(name.lastIndexOf('/') + 1)),
})

/** `attachment` with the file's name: plain for old clients, UTF-8 for the rest (RFC 6266 section 4.3, RFC 8187). */
function attachment(fileName: string): string {
  const plain = fileName.replace(/[^\x20-\x7e]/g, '_').replace(/["\\]/g, '_')
  const value = `attachment; filename="${plain}"`
  return plain === fileName ? value : `${value}; filename*=UTF-8''${encoded(fileName)}`
}

/** RFC 8187's attr-char allows fewer unencoded characters than encodeURIComponent. */
const encoded = (text: string) =>
  encodeURIComponent(text).replace(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)

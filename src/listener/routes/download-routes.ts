import type { Asset } from '../../asset/asset.ts'
import { decodeAssetPath } from '../../asset/asset-name.ts'
import { fileMediaType, imageMediaType } from '../../asset/media-type.ts'
import { bare, type HeaderRecord } from '../answers.ts'
import type { Arrival, SiteArrival } from '../arrival.ts'
import { attachment } from '../content-disposition.ts'
import { notHere } from '../on-site.ts'
import type { AssetServer } from '../serve-asset.ts'
import { type Surface, surfaceHeaders } from '../surface-headers.ts'

const svgPolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

/** `GET /_svc/img/<path>` */
export function imageRoute(assets: AssetServer) {
  return (arrival: SiteArrival, params: Record<string, string>): Promise<Response> | Response => {
    const image = named(arrival.site.images, params['*'])
    if (image === null || image.current.state !== 'live') return notHere(arrival)
    return answerImage(assets, { arrival, image, surface: 'live' })
  }
}

/** `GET /_svc/file/<path>` */
export function fileRoute(assets: AssetServer) {
  return (arrival: SiteArrival, params: Record<string, string>): Promise<Response> | Response => {
    const file = named(arrival.site.files, params['*'])
    if (file === null || file.current.state !== 'live') return notHere(arrival)
    return answerFile(assets, { arrival, file, surface: 'live' })
  }
}

/** The asset that a URL's path names; nothing of a request ever becomes a path on the disk. */
export function named(assets: ReadonlyMap<string, Asset>, path: string | undefined): Asset | null {
  const name = path === undefined ? null : decodeAssetPath(path)
  return name === null ? null : (assets.get(name) ?? null)
}

export async function answerImage(
  assets: AssetServer,
  { arrival, image, surface }: { arrival: Arrival; image: Asset; surface: Surface },
): Promise<Response> {
  const headers = () => {
    const contentType = imageMediaType(image.name) ?? 'application/octet-stream'
    const policy: HeaderRecord = contentType === 'image/svg+xml' ? { 'content-security-policy': svgPolicy } : {}
    return { 'content-type': contentType, ...policy, ...surfaceHeaders[surface] }
  }
  return (await assets.answer({ arrival, asset: image, surface, headers, ranges: true })) ?? bare(503)
}

export async function answerFile(
  assets: AssetServer,
  { arrival, file, surface }: { arrival: Arrival; file: Asset; surface: Surface },
): Promise<Response> {
  const headers = () => ({
    'content-type': fileMediaType(file.name),
    'content-disposition': attachment(file.name.slice(file.name.lastIndexOf('/') + 1)),
    ...surfaceHeaders[surface],
  })
  return (await assets.answer({ arrival, asset: file, surface, headers, ranges: true })) ?? bare(503)
}

import type { Asset } from '../../asset/asset.ts'
import { decodeAssetPath } from '../../asset/asset-name.ts'
import { fileMediaType, imageMediaType } from '../../asset/media-type.ts'
import { bare, type HeaderRecord } from '../answers.ts'
import type { SiteArrival } from '../arrival.ts'
import { attachment } from '../content-disposition.ts'
import { notHere } from '../on-site.ts'
import type { AssetServer } from '../serve-asset.ts'

const sharedCacheControl = 'public, max-age=300'
const svgPolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

/** `GET /_svc/img/<path>` */
export function imageRoute(assets: AssetServer) {
  return ({ request, site }: SiteArrival, params: Record<string, string>): Promise<Response> | Response => {
    const image = named(site.images, params['*'])
    if (image === null || image.current.state !== 'live') return notHere()
    return answerImage(assets, { request, image, cacheControl: sharedCacheControl })
  }
}

/** `GET /_svc/file/<path>` */
export function fileRoute(assets: AssetServer) {
  return ({ request, site }: SiteArrival, params: Record<string, string>): Promise<Response> | Response => {
    const file = named(site.files, params['*'])
    if (file === null || file.current.state !== 'live') return notHere()
    return answerFile(assets, { request, file, cacheControl: sharedCacheControl })
  }
}

/** The asset that a URL's path names; nothing of a request ever becomes a path on the disk. */
export function named(assets: ReadonlyMap<string, Asset>, path: string | undefined): Asset | null {
  const name = path === undefined ? null : decodeAssetPath(path)
  return name === null ? null : (assets.get(name) ?? null)
}

export async function answerImage(
  assets: AssetServer,
  { request, image, cacheControl }: { request: Request; image: Asset; cacheControl: string },
): Promise<Response> {
  const contentType = imageMediaType(image.name) ?? 'application/octet-stream'
  const headers: HeaderRecord = {
    'content-type': contentType,
    'cache-control': cacheControl,
    'x-content-type-options': 'nosniff',
  }
  if (contentType === 'image/svg+xml') headers['content-security-policy'] = svgPolicy
  return (await assets.answer({ request, asset: image, headers, ranges: true })) ?? bare(503)
}

export async function answerFile(
  assets: AssetServer,
  { request, file, cacheControl }: { request: Request; file: Asset; cacheControl: string },
): Promise<Response> {
  const headers: HeaderRecord = {
    'content-type': fileMediaType(file.name),
    'content-disposition': attachment(file.name.slice(file.name.lastIndexOf('/') + 1)),
    'cache-control': cacheControl,
    'x-content-type-options': 'nosniff',
  }
  return (await assets.answer({ request, asset: file, headers, ranges: true })) ?? bare(503)
}

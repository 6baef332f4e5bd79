import type { Asset, ContentEncoding } from '../asset/asset.ts'
import { AcceptedEncodings } from './accepted-encoding.ts'
import { bare, type HeaderRecord } from './answers.ts'
import { BodyCache } from './body-cache.ts'
import { notModified, requestedRange } from './conditional.ts'
import type { ListenerParts } from './listener-parts.ts'

export interface AssetAnswer {
  request: Request
  asset: Asset
  /** `content-type`, `cache-control` and whatever else goes with the kind. */
  headers: HeaderRecord
  /** Whether parts may be asked for (RFC 9110 section 14). */
  ranges: boolean
}

/** Answers with an asset's bytes: encoded as the client accepts, whole or in part, or 304 when it has them. */
export class AssetServer {
  private readonly encodings = new AcceptedEncodings()
  private readonly bodies: BodyCache

  constructor(parts: Pick<ListenerParts, 'assets'>) {
    this.bodies = new BodyCache(parts.assets)
  }

  /** `null` when the store has lost the bytes. */
  async answer(answer: AssetAnswer): Promise<Response | null> {
    const { request, asset } = answer
    const { current } = asset
    const wantsPart = answer.ranges && request.headers.has('range')
    const encoding = wantsPart ? 'identity' : this.encodingFor(request, asset)
    const etag = encoding === 'identity' ? `"${current.sha256}"` : `"${current.sha256}-${encoding}"`
    const headers: HeaderRecord = { ...answer.headers, etag }
    if (current.variants.length > 0) headers.vary = 'Accept-Encoding'
    if (answer.ranges) headers['accept-ranges'] = 'bytes'
    if (notModified(request, etag)) return new Response(null, { status: 304, headers })
    if (encoding !== 'identity') headers['content-encoding'] = encoding
    if (request.method === 'HEAD') return headAnswer(asset, encoding, headers)

    const stored = { sha256: current.sha256, encoding }
    const body = this.bodies.peek(stored) ?? (await this.bodies.open(stored))
    if (body === null) return null
    return wantsPart ? partAnswer(request, { body, etag, headers }) : new Response(body, { headers })
  }

  private encodingFor(request: Request, { current }: Asset): ContentEncoding | 'identity' {
    if (current.variants.length === 0) return 'identity'
    const accepted = this.encodings.of(request.headers.get('accept-encoding'))
    return accepted.find((encoding) => current.variants.some((held) => held.encoding === encoding)) ?? 'identity'
  }
}

function headAnswer({ current }: Asset, encoding: ContentEncoding | 'identity', headers: HeaderRecord): Response {
  const variant = current.variants.find((held) => held.encoding === encoding)
  const byteCount = variant?.byteCount ?? current.byteCount
  return new Response(null, { headers: { ...headers, 'content-length': String(byteCount) } })
}

interface Part {
  body: Uint8Array<ArrayBuffer> | Blob
  etag: string
  headers: HeaderRecord
}

function partAnswer(request: Request, { body, etag, headers }: Part): Response {
  const byteCount = body instanceof Blob ? body.size : body.byteLength
  const range = requestedRange(request, etag, byteCount)
  if (range === null) return new Response(body, { headers })
  if (range === 'unsatisfiable') return bare(416, { 'content-range': `bytes */${byteCount}` })
  return new Response(body.slice(range.first, range.last + 1), {
    status: 206,
    headers: { ...headers, 'content-range': `bytes ${range.first}-${range.last}/${byteCount}` },
  })
}

import type { Asset, AssetVersion, ContentEncoding } from '../../asset/asset.ts'
import type { StoredBytes } from '../../asset/asset-store.ts'
import { AcceptedEncodings } from '../answer/accepted.ts'
import { bare, type HeaderRecord, withCookie } from '../answer/answers.ts'
import { backInAMoment, tooManyForAddress } from '../answer/small-page.ts'
import type { Arrival } from '../arrival.ts'
import type { ListenerParts } from '../listener-parts.ts'
import { BodyCache, type BodyFault, bodyKey, isFromDisk } from './body-cache.ts'

interface AssetAnswer {
  arrival: Arrival
  asset: Asset
  /** The surface that shows the asset. `headers` may depend only on the surface and the asset. */
  surface: 'live' | 'preview' | 'sandboxed'
  /** `content-type`, `cache-control` and other headers of the kind. Called once and cached. */
  headers: () => HeaderRecord
  /** This answer's `Set-Cookie`; `null` or absent: none. */
  cookie?: string | null
  /** Whether ranges are supported (RFC 9110 section 14). */
  ranges: boolean
  /** Of an answer that tells that something else is missing, to whatever was asked; absent: 200. */
  status?: 404
}

/** The kernel accepts this much of an answer at once; larger bodies may wait for their reader. */
const bufferedBytes = 64 * 1024

type Encoding = ContentEncoding | 'identity'

/** What all answers with a version in one encoding have in common. */
interface Prepared {
  headers: Headers
  stored: StoredBytes
  bodyKey: string
}

/** Answers with an asset's bytes in an accepted encoding, completely or a range of them, or with 304. */
export class AssetServer {
  private readonly encodings = new AcceptedEncodings()
  private readonly bodies: BodyCache
  /** By surface, version and encoding; forgotten with the version, when another site is published. */
  private readonly prepared: Record<AssetAnswer['surface'], WeakMap<AssetVersion, Map<Encoding, Prepared>>> = {
    live: new WeakMap(),
    preview: new WeakMap(),
    sandboxed: new WeakMap(),
  }

  /** Versions reported as missing or damaged, each once until it is stored again. */
  private readonly lost = new WeakSet<AssetVersion>()

  constructor(
    private readonly parts: Pick<ListenerParts, 'assets' | 'clock' | 'directory' | 'downloads' | 'log' | 'refusals'>,
  ) {
    this.bodies = new BodyCache(parts.assets, parts.clock)
  }

  /** `null`: the bytes are missing or damaged. Synchronous for bodies in memory. */
  answer(answer: AssetAnswer): Response | Promise<Response | null> {
    return this.answerIn(wantsPart(answer) ? 'identity' : this.encodingFor(answer), answer)
  }

  private answerIn(encoding: Encoding, answer: AssetAnswer): Response | Promise<Response | null> {
    const { asset, cookie = null, status = 200 } = answer
    const { request } = answer.arrival
    const isPart = wantsPart(answer)
    const prepared = this.preparedFor(answer, encoding)
    const headers = withCookie(prepared.headers, cookie)
    if (status === 200 && request.headers.has('if-none-match') && notModified(request, etagOf(asset, encoding)))
      return new Response(null, { status: 304, headers })
    if (request.method === 'HEAD') return headAnswer(asset, encoding, { status, headers })

    const { stored } = prepared
    const withBody = (body: Blob) =>
      isPart ? partAnswer(answer, body, headers) : new Response(body, { status, headers })
    const cached = this.bodies.peek(prepared.bodyKey)
    if (cached !== null) {
      if (cached.size > bufferedBytes) this.parts.downloads.allowPauses(answer.arrival)
      return withBody(cached)
    }
    return this.bodies.open(stored).then((body) => {
      if (typeof body === 'string') {
        this.sayOnce(body, asset, encoding)
        // Compressed variants are made from the original.
        if (encoding !== 'identity') return this.answerIn('identity', answer)
        return body === 'away' ? this.backSoon(answer) : null
      }
      if (encoding === this.encodingFor(answer)) this.lost.delete(asset.current)
      return (isFromDisk(body) ? this.downloadRefused(answer) : null) ?? withBody(body)
    })
  }

  /** The published bytes, for a surface that changes them. `null`: they are missing or damaged. */
  async published(asset: Asset): Promise<Blob | null> {
    const body = await this.bodies.open({ sha256: asset.current.sha256, encoding: 'identity' })
    if (typeof body !== 'string') return body
    this.sayOnce(body, asset, 'identity')
    return null
  }

  /** The answer if the limit of downloads is reached; `null`: the download may start. */
  private downloadRefused({ arrival, asset }: AssetAnswer): Response | null {
    const { directory, downloads, refusals } = this.parts
    const outcome = downloads.begin(arrival)
    if (outcome === 'begun') return null
    const site = directory.siteOfAsset(asset.id)
    const check = outcome === 'address' ? 'downloads_per_address' : 'downloads'
    if (site !== null) refusals.add(site.account.id, { endpoint: 'download', check, origin: null })
    const reader = { request: arrival.request, site }
    return outcome === 'address' ? tooManyForAddress(reader) : backInAMoment(reader)
  }

  private backSoon({ arrival, asset }: AssetAnswer): Response {
    return backInAMoment({ request: arrival.request, site: this.parts.directory.siteOfAsset(asset.id) })
  }

  private sayOnce(fault: BodyFault, { id, kind, current }: Asset, encoding: Encoding): void {
    if (this.lost.has(current)) return
    this.lost.add(current)
    this.parts.log.error(faultMessages[fault], { kind, id, sha256: current.sha256, encoding })
  }

  private encodingFor({ arrival: { request }, asset: { current } }: AssetAnswer): Encoding {
    if (current.variants.length === 0) return 'identity'
    const accepted = this.encodings.of(request.headers.get('accept-encoding'))
    return accepted.find((encoding) => current.variants.some((variant) => variant.encoding === encoding)) ?? 'identity'
  }

  private preparedFor(answer: AssetAnswer, encoding: Encoding): Prepared {
    const ofSurface = this.prepared[answer.surface]
    const { current } = answer.asset
    const known = ofSurface.get(current)?.get(encoding)
    if (known !== undefined) return known
    const stored = { sha256: current.sha256, encoding }
    const made = { headers: madeHeaders(answer, encoding), stored, bodyKey: bodyKey(stored) }
    ofSurface.set(current, (ofSurface.get(current) ?? new Map<Encoding, Prepared>()).set(encoding, made))
    return made
  }
}

const wantsPart = ({ ranges, arrival: { request } }: AssetAnswer): boolean => ranges && request.headers.has('range')

const faultMessages = {
  missing: 'Published content is missing in the data folder: run capture doctor.',
  damaged: 'Published content is damaged in the data folder and not served: run capture doctor --deep.',
  away: 'Published content is not on this machine yet, and the cluster’s store does not give it.',
}

function madeHeaders({ asset, headers, ranges }: AssetAnswer, encoding: Encoding): Headers {
  const made = new Headers(headers())
  made.set('etag', etagOf(asset, encoding))
  if (asset.current.variants.length > 0) made.set('vary', 'Accept-Encoding')
  if (encoding !== 'identity') made.set('content-encoding', encoding)
  if (ranges) made.set('accept-ranges', 'bytes')
  return made
}

/** Strong: another encoding is another representation (RFC 9110 section 8.8.3.3). */
const etagOf = ({ current }: Asset, encoding: Encoding): string =>
  encoding === 'identity' ? `"${current.sha256}"` : `"${current.sha256}-${encoding}"`

function headAnswer(
  { current }: Asset,
  encoding: Encoding,
  { status, headers: remembered }: { status: number; headers: Headers },
): Response {
  const headers = new Headers(remembered)
  const variant = current.variants.find((stored) => stored.encoding === encoding)
  headers.set('content-length', String(variant?.byteCount ?? current.byteCount))
  return new Response(null, { status, headers })
}

/** Repeats the robots header of the complete answer. */
function unsatisfiable(byteCount: number, remembered: Headers): Response {
  const robots = remembered.get('x-robots-tag')
  const unseen = robots === null ? {} : { 'x-robots-tag': robots, 'cache-control': 'private, no-store' }
  return bare(416, { 'content-range': `bytes */${byteCount}`, ...unseen })
}

function partAnswer({ arrival, asset }: AssetAnswer, body: Blob, remembered: Headers): Response {
  const { request } = arrival
  const range = requestedRange(request, etagOf(asset, 'identity'), body.size)
  if (range === null) return new Response(body, { headers: remembered })
  if (range === 'unsatisfiable') return unsatisfiable(body.size, remembered)
  const headers = new Headers(remembered)
  headers.set('content-range', `bytes ${range.first}-${range.last}/${body.size}`)
  return new Response(body.slice(range.first, range.last + 1), { status: 206, headers })
}

/** Whether the client already has this version (RFC 9110 section 13.1.2, weak comparison). */
export function notModified(request: Request, etag: string): boolean {
  const header = request.headers.get('if-none-match')
  if (header === null) return false
  if (header === etag || header.trim() === '*') return true
  return header.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === etag)
}

/** A part of a body: first and last byte, inclusive. */
interface ByteRange {
  first: number
  last: number
}

const rangePattern = /^bytes=(\d{0,15})-(\d{0,15})$/

/**
 * The requested range (RFC 9110 section 14). `null`: the whole body (no range, several, another unit, or an `If-Range` of another
 * version). `unsatisfiable`: the range begins after the end.
 */
function requestedRange(request: Request, etag: string, byteCount: number): ByteRange | 'unsatisfiable' | null {
  const header = request.headers.get('range')
  if (header === null || request.method !== 'GET') return null
  const ifRange = request.headers.get('if-range')
  if (ifRange !== null && ifRange !== etag) return null
  const match = rangePattern.exec(header.trim())
  if (!match || (match[1] === '' && match[2] === '')) return null
  const [, from = '', to = ''] = match
  const first = from === '' ? Math.max(0, byteCount - Number(to)) : Number(from)
  const last = from === '' || to === '' ? byteCount - 1 : Math.min(Number(to), byteCount - 1)
  if (from !== '' && to !== '' && Number(to) < Number(from)) return null
  if (first >= byteCount || (from === '' && Number(to) === 0)) return 'unsatisfiable'
  return { first, last }
}

export type Surface = AssetAnswer['surface']

/** A preview is private and never indexed, whatever it shows (docs/previews.md). */
const preview: HeaderRecord = {
  'cache-control': 'private, no-store',
  'x-robots-tag': 'noindex, nofollow',
  'x-content-type-options': 'nosniff',
  // Its address is a secret: other hosts may learn only its origin.
  'referrer-policy': 'strict-origin-when-cross-origin',
}

export const surfaceHeaders: Record<Surface, HeaderRecord> = {
  live: {
    'cache-control': 'public, max-age=300',
    'x-content-type-options': 'nosniff',
    // Images and files are for other websites too, also for those that let in nothing that does not say so.
    'cross-origin-resource-policy': 'cross-origin',
  },
  preview,
  /**
   * A page on the host of all previews, whose origin it must not have: another account's page could then read what it stores.
   * `allow-same-origin` is what is left out. What a page opens is a window of its own, as it would be from the live page.
   */
  sandboxed: {
    ...preview,
    'content-security-policy':
      'sandbox allow-downloads allow-forms allow-modals allow-popups allow-popups-to-escape-sandbox allow-scripts',
  },
}

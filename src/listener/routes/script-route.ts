import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { AcceptedEncodings } from '../accepted-encoding.ts'
import type { SiteArrival } from '../arrival.ts'
import { notModified } from '../conditional.ts'

/** `GET /_svc/v1.js`: compressed once, at start. */
export function scriptRoute(script: string) {
  const encodings = new AcceptedEncodings()
  const bytes = new TextEncoder().encode(script)
  const compressed = new Uint8Array(gzipSync(bytes, { level: 9 }))
  const hash = createHash('sha256').update(bytes).digest('hex')
  const shared = {
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=300',
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
    vary: 'Accept-Encoding',
  }
  return ({ request }: SiteArrival): Response => {
    const gzip = encodings.of(request.headers.get('accept-encoding')).includes('gzip')
    const etag = gzip ? `"${hash}-gzip"` : `"${hash}"`
    const headers = { ...shared, etag, ...(gzip ? { 'content-encoding': 'gzip' } : {}) }
    if (notModified(request, etag)) return new Response(null, { status: 304, headers })
    const body = gzip ? compressed : bytes
    if (request.method === 'HEAD') {
      return new Response(null, { headers: { ...headers, 'content-length': String(body.byteLength) } })
    }
    return new Response(body, { headers })
  }
}

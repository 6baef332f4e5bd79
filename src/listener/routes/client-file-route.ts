import { targetUrl } from '../../lib/request-target.ts'
import { AcceptedEncodings } from '../accepted-encoding.ts'
import type { SiteArrival } from '../arrival.ts'
import { type ClientFile, type ClientFileName, languageFileNames } from '../client-file.ts'
import { notModified } from '../conditional.ts'
import { notHere } from '../on-site.ts'

const mediaTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  // Of `v1.d.ts`, for people to read or save; a browser would take `video/mp2t` for granted.
  '.ts': 'text/plain; charset=utf-8',
}

/** `GET /_svc/v1.js`, and what it loads when a page needs it (docs/script.md). */
export function clientFileRoute(name: ClientFileName, file: ClientFile) {
  const encodings = new AcceptedEncodings()
  const shared = {
    'content-type': mediaTypes[name.slice(name.lastIndexOf('.'))] ?? 'application/octet-stream',
    'cache-control': 'public, max-age=300',
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
    vary: 'Accept-Encoding',
  }
  const variants = {
    identity: variant(new TextEncoder().encode(file.text), { ...shared, etag: `"${file.sha256}"` }),
    gzip: variant(Buffer.from(file.gzip, 'base64'), encoded(shared, file, 'gzip')),
    br: variant(Buffer.from(file.br, 'base64'), encoded(shared, file, 'br')),
  }
  return ({ request }: SiteArrival): Response => {
    const [best = 'identity'] = encodings.of(request.headers.get('accept-encoding'))
    const { body, headers, etag } = variants[best]
    if (notModified(request, etag)) return new Response(null, { status: 304, headers })
    if (request.method === 'HEAD') {
      return new Response(null, { headers: { ...headers, 'content-length': String(body.size) } })
    }
    return new Response(body, { headers })
  }
}

/** `GET /_svc/l/<language>.js`: what the script says to visitors, in English where we do not speak the language. */
export function languageFileRoute(files: Readonly<Record<ClientFileName, ClientFile>>) {
  const routes = new Map(languageFileNames.map((name) => [`/_svc/${name}`, clientFileRoute(name, files[name])]))
  const english = clientFileRoute('l/en.js', files['l/en.js'])
  return (arrival: SiteArrival): Response => {
    const { pathname } = targetUrl(arrival.request)
    if (!/^\/_svc\/l\/[a-z]{2,8}\.js$/.test(pathname)) return notHere(arrival)
    return (routes.get(pathname) ?? english)(arrival)
  }
}

interface EtagHeaders extends Record<string, string> {
  etag: string
}

const encoded = (shared: Record<string, string>, file: ClientFile, encoding: 'gzip' | 'br'): EtagHeaders => ({
  ...shared,
  etag: `"${file.sha256}-${encoding}"`,
  'content-encoding': encoding,
})

/** A Blob: an answer shares its bytes, where it would copy an array's. */
const variant = (bytes: Uint8Array<ArrayBuffer>, headers: EtagHeaders) => ({
  body: new Blob([bytes]),
  headers,
  etag: headers.etag,
})

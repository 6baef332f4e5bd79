import type { Box } from './box.ts'
import type { Sent } from './http.ts'

/** What a test says otherwise than a browser that opens an address. `headers`: `null` leaves one out. */
export interface VisitOverrides {
  account?: string
  method?: string
  host?: string
  headers?: Record<string, string | null>
  body?: Sent['body']
}

/** A person's browser, less its compression: bytes arrive as they were published. */
const browserHeaders = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
  'accept-language': 'en',
  'accept-encoding': 'identity',
}

/** A browser opens an address of the account's domain. */
export function visit(path: string, overrides: VisitOverrides = {}): Sent {
  const { account = 'acme', method = 'GET', host = `go.${account}.test`, body = null } = overrides
  const wanted = Object.entries({ ...browserHeaders, ...overrides.headers })
  const headers = Object.fromEntries(wanted.filter((header): header is [string, string] => header[1] !== null))
  return { method, host, path, headers, body }
}

/** The headers that came with an answer, of the given names; `null`: absent. */
export const headersOf = ({ headers }: { headers: Headers }, ...names: string[]): Record<string, string | null> =>
  Object.fromEntries(names.map((name) => [name, headers.get(name)]))

/** An answer with its body as it went over the wire, still compressed. */
export interface BytesAnswer {
  status: number
  headers: Headers
  bytes: Uint8Array<ArrayBuffer>
}

export async function bytesAnswer(box: Box, { method, host, path, headers, body }: Sent): Promise<BytesAnswer> {
  const response = await fetch(`http://127.0.0.1:${box.port}${path}`, {
    method,
    headers: { ...headers, host },
    body,
    redirect: 'manual',
    decompress: false,
  })
  return { status: response.status, headers: response.headers, bytes: new Uint8Array(await response.arrayBuffer()) }
}

/** Bytes in which every shift shows. */
export function distinctBytes(byteCount: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(byteCount)
  for (let i = 0; i < byteCount; i++) bytes[i] = (i * 31 + (i >> 8) * 17 + (i >> 16) * 13) & 0xff
  return bytes
}

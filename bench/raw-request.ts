import type { ServerAddress } from './server-process.ts'

/** Where the load generator puts a number that no other request has. Its length is the number's, so that Content-Length holds. */
export const counterMark = '@@COUNTER@@@'

export interface RequestLine {
  method: 'GET' | 'POST'
  target: string
  headers: Record<string, string>
  /** JSON text; `counterMark` may stand in it any number of times. */
  body?: string
}

/** The bytes of a request as the load generator sends them. */
export function rawRequest({ method, target, headers, body }: RequestLine): string {
  const lines = [`${method} ${target} HTTP/1.1`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)]
  if (body !== undefined) lines.push(`Content-Length: ${Buffer.byteLength(body)}`)
  return `${lines.join('\r\n')}\r\n\r\n${body ?? ''}`
}

/** The same request sent once, to see what it is answered. */
export async function sendOnce(
  { method, target, headers, body }: RequestLine,
  { scheme, port }: ServerAddress,
): Promise<Response> {
  return fetch(`${scheme}://127.0.0.1:${port}${target}`, {
    tls: { rejectUnauthorized: false },
    method,
    headers,
    redirect: 'manual',
    decompress: false,
    ...(body === undefined ? {} : { body: body.replaceAll(counterMark, '000000000000') }),
  })
}

/** What `pinnedFetch` sends. */
interface Sent {
  headers: Readonly<Record<string, string>>
  body: string
  /** Certificates (PEM) trusted besides the system's; `null`: none. */
  ca: string | null
  signal: AbortSignal
}

/**
 * POSTs to the address of the URL's host that was judged. Follows no redirect, uses no proxy of the environment, keeps no cookie, and
 * makes a connection of its own: a shared one could have been made for another name.
 */
export function pinnedFetch(url: URL, address: string, { headers, body, ca, signal }: Sent): Promise<Response> {
  const pinned = new URL(url)
  pinned.hostname = address.includes(':') ? `[${address}]` : address
  return fetch(pinned, {
    method: 'POST',
    headers: { ...headers, Host: url.host, Connection: 'close' },
    body,
    redirect: 'manual',
    keepalive: false,
    decompress: false,
    proxy: false,
    tls: { serverName: url.hostname.replace(/^\[|\]$/g, ''), ...(ca !== null && { ca }) },
    signal,
  })
}

/** Nothing of the message was sent, so the name's next address may be tried. */
export function isBeforeSending(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return ['ECONNREFUSED', 'ConnectionRefused', 'EHOSTUNREACH', 'ENETUNREACH', 'FailedToOpenSocket'].includes(code)
}

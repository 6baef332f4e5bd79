/** An HTTPS proxy that passes one request on at a time. */
export interface SerialProxy {
  stop(): Promise<void>
}

interface Wanted {
  hostname: string
  port: number
  /** The origin of the server behind it, whose certificate `tls.ca` signed. */
  upstream: string
  tls: { cert: string; key: string; ca: string }
  /** Resolves once the server has finished what a successful request for this path started. */
  settled(path: string): Promise<void>
}

/**
 * Pebble 2.10.1 hangs for good when it reads an authorization, places an order and stores another one at the same time: each
 * handler waits for a lock of the next. One request at a time rules that out, and leaves clients as concurrent as they were.
 */
export function startSerialProxy({ hostname, port, upstream, tls, settled }: Wanted): SerialProxy {
  let last: Promise<unknown> = Promise.resolve()
  const passedOn = async (request: Request): Promise<Response> => {
    const { pathname, search } = new URL(request.url)
    const answer = await fetch(`${upstream}${pathname}${search}`, {
      method: request.method,
      headers: request.headers,
      ...(request.method === 'POST' ? { body: await request.bytes() } : {}),
      redirect: 'manual',
      decompress: false,
      proxy: false,
      tls: { ca: tls.ca },
    })
    const body = await answer.bytes()
    if (answer.ok) await settled(pathname)
    return new Response(body, answer)
  }
  const server = Bun.serve({
    hostname,
    port,
    tls: { cert: tls.cert, key: tls.key },
    idleTimeout: 0,
    fetch(request) {
      const answered = last.then(() => passedOn(request))
      last = answered.catch(() => {})
      return answered
    },
  })
  return { stop: () => server.stop(true) }
}

/** A request as it left the browser. */
export interface Seen {
  method: string
  /** `https://go.acme.test` */
  origin: string
  /** With the query. */
  path: string
  headers: Headers
  body: string
  /** `performance.now()` of its arrival, for what is spaced in time. */
  atMs: number
  /** Of the answer; `null` while there is none. */
  status: number | null
}

/** A page of a site that is not ours, or any other answer of it. */
export type Content = string | ((seen: Seen) => Response | Promise<Response>)

/** Looks at a request to the box first; `null` lets it pass. */
export type Disturbance = (seen: Seen) => Response | null | Promise<Response | null>

/**
 * Everything the browser can reach, over HTTPS on one port: the box's hosts, as behind a TLS proxy, and the pages of
 * other people's sites. Keeps a record of every request.
 */
export class Front {
  readonly requests: Seen[] = []
  /** Set by a test to let the box fail, refuse or hesitate. */
  disturbance: Disturbance = () => null
  private readonly contents = new Map<string, Content>()

  constructor(
    server: Bun.Server<undefined>,
    private readonly boxHosts: ReadonlySet<string>,
    private readonly boxPort: () => number,
  ) {
    server.reload({ fetch: (request) => this.answer(request) })
  }

  /** Puts content at an address of a site that is not the box's; a query does not matter. */
  put(url: string, content: Content): void {
    this.contents.set(url, content)
  }

  /** The recorded requests to an address of the given kind: `seen('POST', '/_svc/e')`. */
  seen(method: string, pathPrefix: string): Seen[] {
    return this.requests.filter((one) => one.method === method && one.path.startsWith(pathPrefix))
  }

  /** Forgets what was recorded, put and disturbed. */
  reset(): void {
    this.requests.length = 0
    this.contents.clear()
    this.disturbance = () => null
  }

  private async answer(request: Request): Promise<Response> {
    const url = new URL(request.url)
    const host = request.headers.get('host') ?? url.host
    const seen: Seen = {
      method: request.method,
      origin: `https://${host}`,
      path: url.pathname + url.search,
      headers: request.headers,
      body: await request.text(),
      atMs: performance.now(),
      status: null,
    }
    this.requests.push(seen)
    const answer = this.boxHosts.has(host)
      ? ((await this.disturbance(seen)) ?? (await this.askBox(seen, host)))
      : await this.askSite(seen, url.pathname)
    seen.status = answer.status
    return answer
  }

  private askBox({ method, path, headers, body }: Seen, host: string): Promise<Response> {
    const forwarded = new Headers(headers)
    forwarded.set('host', host)
    forwarded.set('x-forwarded-proto', 'https')
    forwarded.set('x-forwarded-host', host)
    return fetch(`http://127.0.0.1:${this.boxPort()}${path}`, {
      method,
      headers: forwarded,
      body: body === '' ? null : body,
      redirect: 'manual',
      decompress: false,
    })
  }

  private async askSite(seen: Seen, pathname: string): Promise<Response> {
    // Asked for by the browser itself; a 404 would stand among the page's notices.
    if (pathname === '/favicon.ico') return new Response(null, { status: 204 })
    const content = this.contents.get(seen.origin + pathname)
    if (content === undefined) return new Response('Nothing here', { status: 404 })
    return typeof content === 'string' ? page(content) : content(seen)
  }
}

/** A page as a site serves it, with its own headers such as a Content-Security-Policy. */
export const page = (html: string, headers: Record<string, string> = {}): Response =>
  new Response(html, { headers: { 'content-type': 'text/html; charset=utf-8', ...headers } })

import { ipVersion } from '../lib/ip.ts'
import { type MetricsFormat, openMetrics, prometheusMetrics } from '../lib/metrics.ts'
import type { RequestQueue } from '../lib/request-queue.ts'

interface OperatorSources {
  /** Why records cannot be stored, in one sentence; `null`: they can. */
  fault: () => Promise<string | null>
  /** The text of `/metrics`. */
  metrics: (format: MetricsFormat) => Promise<string>
}

export interface OperatorListener {
  port: number
  /** Sets the sources of answers. Requests wait for that, and for the queue to be released. */
  lead(sources: OperatorSources): void
  stop(): Promise<void>
}

/** No request has a body here. */
const bodyBytesMax = 1024
const idleTimeoutSeconds = 10

interface OperatorBasics {
  queue: RequestQueue
  onError: (error: unknown) => void
}

/**
 * Answers `/livez`, `/readyz` and `/metrics` (docs/monitoring.md) over plain HTTP for monitoring. It serves no site, and
 * the listeners of sites do not serve these paths. @throws when the address cannot be bound
 */
export function startOperatorListener(
  { host, port }: { host: string; port: number },
  { queue, onError }: OperatorBasics,
): OperatorListener {
  let routes: OperatorRoutes | null = null
  const answerWith = (routes: OperatorRoutes, request: Request): Response | Promise<Response> => {
    if (!isAskedByAddress(request.headers.get('host'), host)) {
      return text(421, 'Ask by the IP address of this machine, or as localhost.')
    }
    const route = routes[new URL(request.url).pathname]
    if (route === undefined) return text(404, 'There is /livez, /readyz and /metrics here.')
    const reads = request.method === 'GET' || request.method === 'HEAD'
    return reads ? route(request) : text(405, 'This address answers GET and HEAD only.', { allow: 'GET, HEAD' })
  }
  const whenOpen = async (request: Request): Promise<Response> =>
    (await queue.wait()) && routes !== null ? answerWith(routes, request) : text(503, 'The service is starting.')
  const server = Bun.serve({
    hostname: host,
    port,
    // A process that takes over listens on the same port for a moment.
    reusePort: true,
    development: false,
    idleTimeout: idleTimeoutSeconds,
    maxRequestBodySize: bodyBytesMax,
    error: (error) => {
      onError(error)
      return text(500, 'The answer failed; the log says why.')
    },
    fetch: (request) => (routes === null ? whenOpen(request) : answerWith(routes, request)),
  })
  return {
    port: server.port ?? port,
    lead: (sources) => {
      routes = operatorRoutes(sources)
    },
    stop: () => server.stop(true),
  }
}

type OperatorRoutes = Record<string, (request: Request) => Response | Promise<Response>>

function operatorRoutes({ fault, metrics }: OperatorSources): OperatorRoutes {
  return {
    __proto__: null as never,
    '/livez': () => text(200, 'The process is alive.'),
    '/readyz': async () => {
      const reason = await fault()
      return reason === null ? text(200, 'Records are being stored.') : text(503, reason)
    },
    '/metrics': async ({ headers }) => {
      const format = formatAsked(headers.get('accept') ?? '')
      return answer(200, await metrics(format), { 'content-type': format.contentType })
    },
  }
}

/** Programs that read both say so; `text/plain` alone is asked for by those that know only that. */
const formatAsked = (accept: string): MetricsFormat =>
  /\btext\/plain\b/i.test(accept) && !/\bapplication\/openmetrics-text\b/i.test(accept)
    ? prometheusMetrics
    : openMetrics

const text = (status: number, sentence: string, headers: Record<string, string> = {}): Response =>
  answer(status, `${sentence}\n`, { 'content-type': 'text/plain; charset=utf-8', ...headers })

const always = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
}

const answer = (status: number, body: string, headers: Record<string, string>): Response =>
  new Response(body, {
    status,
    headers: { ...always, ...headers },
  })

/**
 * Whether a Host header (RFC 9112 section 3.2) is an IP address, `localhost`, or the configured name. A website whose own name
 * points here (DNS rebinding) fails, because browsers send that name. HTTP/1.0 has no such header, but no browser uses it.
 */
export function isAskedByAddress(header: string | null, listenHost: string): boolean {
  if (header === null) return true
  const [, inBrackets, bare] = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::\d{1,5})?$/.exec(header.toLowerCase()) ?? []
  if (inBrackets !== undefined) return ipVersion(inBrackets) === 6
  return bare !== undefined && (ipVersion(bare) === 4 || bare === 'localhost' || bare === listenHost)
}

const askedEveryMs = 1000

/**
 * Whether a record captured now would be stored. It probes with a commit of its own, which also works on a box without
 * visitors. It costs nothing while nobody asks and all is well. After a failure it keeps probing until a commit succeeds, so
 * that monitoring never waits for a hanging disk.
 */
export class Readiness {
  private asked: Promise<string | null> | null = null
  private lastFault: string | null = null
  private isStopping = false

  /** @param probeCommit makes an empty commit, or rejects with the reason, within 5 s */
  constructor(private readonly probeCommit: () => Promise<void>) {}

  /** Why records cannot be stored, in one sentence; `null`: they can. */
  async fault(): Promise<string | null> {
    if (this.isStopping) return 'The service is stopping.'
    if (this.lastFault !== null) return this.lastFault
    this.asked ??= this.ask()
    return this.asked
  }

  /** Reports from now on that the service is stopping, and ends the probes. */
  stopping(): void {
    this.isStopping = true
  }

  private async ask(): Promise<string | null> {
    this.lastFault = await this.probeCommit().then(
      () => null,
      (error: unknown) => `Nothing can be stored: ${error instanceof Error ? error.message : 'the commit failed'}.`,
    )
    setTimeout(() => {
      this.asked = this.lastFault === null || this.isStopping ? null : this.ask()
    }, askedEveryMs).unref()
    return this.lastFault
  }
}

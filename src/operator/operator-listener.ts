import { openMetricsType } from '../lib/metrics/open-metrics.ts'
import { isAskedByAddress } from './asked-by-address.ts'

export interface OperatorSources {
  /** Why nothing can be stored, in one sentence; `null`: it can. */
  fault: () => Promise<string | null>
  /** The text of `/metrics`. */
  metrics: () => Promise<string>
  /** Told of an answer that could not be made. */
  onError: (error: unknown) => void
}

export interface OperatorListener {
  /** The port that was bound. */
  port: number
  stop(): Promise<void>
}

/** Nobody sends a body here. */
const bodyBytesMax = 1024
const idleTimeoutSeconds = 10

/**
 * Answers `/livez`, `/readyz` and `/metrics` (contract-box section 13), plain HTTP, to those who watch the box. Nothing
 * of a site is here, and nothing of this on the listeners of sites. @throws when the address cannot be listened on
 */
export function startOperatorListener(
  { host, port }: { host: string; port: number },
  sources: OperatorSources,
): OperatorListener {
  const routes = operatorRoutes(sources)
  const server = Bun.serve({
    hostname: host,
    port,
    reusePort: false,
    development: false,
    idleTimeout: idleTimeoutSeconds,
    maxRequestBodySize: bodyBytesMax,
    error: (error) => {
      sources.onError(error)
      return text(500, 'This could not be answered; the log says why.')
    },
    fetch: (request) => {
      if (!isAskedByAddress(request.headers.get('host'), host)) {
        return text(421, 'Ask by the IP address of this machine, or as localhost.')
      }
      const route = routes[new URL(request.url).pathname]
      if (route === undefined) return text(404, 'There is /livez, /readyz and /metrics here.')
      const reads = request.method === 'GET' || request.method === 'HEAD'
      return reads ? route() : text(405, 'This address answers GET and HEAD only.', { allow: 'GET, HEAD' })
    },
  })
  return { port: server.port ?? port, stop: () => server.stop(true) }
}

function operatorRoutes({ fault, metrics }: OperatorSources): Record<string, () => Response | Promise<Response>> {
  return {
    __proto__: null as never,
    '/livez': () => text(200, 'The process answers.'),
    '/readyz': async () => {
      const reason = await fault()
      return reason === null ? text(200, 'What is captured is stored.') : text(503, reason)
    },
    '/metrics': async () => answer(200, await metrics(), { 'content-type': openMetricsType }),
  }
}

const text = (status: number, sentence: string, headers: Record<string, string> = {}): Response =>
  answer(status, `${sentence}\n`, { 'content-type': 'text/plain; charset=utf-8', ...headers })

const answer = (status: number, body: string, headers: Record<string, string>): Response =>
  new Response(body, {
    status,
    headers: { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', ...headers },
  })

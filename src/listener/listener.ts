import { proofPathPrefix } from '../https/name/name-proof.ts'
import type { RequestQueue } from '../lib/request-queue.ts'
import { requestTarget } from '../lib/request-target.ts'
import { bare } from './answer/answers.ts'
import { ArrivalReader } from './arrival.ts'
import { failedRequest } from './failed-request.ts'
import type { ListenerParts } from './listener-parts.ts'
import { type EarlyAnswering, RequestHandler } from './request-handler.ts'
import { tooManyRequests } from './router.ts'

export interface Listener {
  port: number
  /** Sets the routes. Requests wait for that, and for the queue to be released. */
  lead(parts: ListenerParts): void
  /** Makes each answer ask its client to reconnect. */
  drain(): void
  /** From now on breaks off whoever still brings a request over an old connection. */
  leave(): void
  /** Stops accepting and waits for answers in flight; after `graceMs` cuts the rest. */
  stop(graceMs: number): Promise<void>
}

/** The inputs of a listener that exist before its routes. */
export type ListenerBasics = Pick<ListenerParts, 'certificates' | 'clock' | 'log' | 'previewHost'> & {
  queue: RequestQueue
}

/**
 * Answers plain HTTP.
 *
 * @param firstOf makes what answers some requests before the routes do
 * @throws when the address is taken
 */
export function startListener(
  basics: ListenerBasics,
  address: BindAddress,
  firstOf?: (parts: ListenerParts) => EarlyAnswering,
): Listener {
  const handler = new RequestHandler(basics.queue, 'http')
  const failed = failedRequest(basics)
  const server = Bun.serve({
    ...serveOptions(address),
    error: (error) => failed(error),
    fetch: (request, server) => handler.answer(request, server),
  })
  return {
    port: server.port ?? address.port,
    lead: (parts) => handler.lead(parts, firstOf?.(parts)),
    drain: () => handler.drain(),
    leave: () => handler.leave(),
    // Where visitors are redirected, a restart must not wait for who only keeps a connection.
    stop: (graceMs) => stopGently(server, graceMs, firstOf === undefined ? turnsForHead : undefined),
  }
}

export interface BindAddress {
  host: string
  port: number
}

/**
 * After this time a silent connection is closed and a slowly arriving body is cut. Downloads have their own limit (see
 * `Downloads`).
 */
const idleTimeoutSeconds = 15

export function serveOptions({ host, port }: BindAddress) {
  return {
    hostname: host,
    port,
    // A process that takes over listens on the same port for a moment. `bound` looks for other programs first.
    reusePort: true,
    development: false,
    idleTimeout: idleTimeoutSeconds,
    // The account's limit applies instead: Bun's own answer would be a bare 413 without CORS headers.
    maxRequestBodySize: Number.POSITIVE_INFINITY,
  }
}

interface Stoppable {
  stop(closeActiveConnections?: boolean): Promise<void>
  readonly pendingRequests: number
}

/** How often to look whether the last body has been sent. */
const lookMs = 50

/** Two seconds, and longer on a machine so busy that clients are late too. */
const turnsForHead = 200

/**
 * Stops accepting and waits for answers in flight; after `graceMs` cuts the rest. Bun would wait for connections that no request
 * has used yet, such as a browser's spare ones, until its idle timeout, and does not tell them from those with half a head: both
 * get a pause.
 *
 * @param turnsMax of that pause; not said: a short one
 */
export async function stopGently(server: Stoppable, graceMs: number, turnsMax?: number): Promise<void> {
  let timer: Timer | undefined
  let isOver = false
  const cut = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, graceMs)
  })
  const answered = async (): Promise<void> => {
    await turnsWhile(() => !isOver, turnsMax === undefined ? {} : { turnsMax })
    while (!isOver && server.pendingRequests > 0) await Bun.sleep(lookMs)
  }
  await Promise.race([server.stop(), answered(), cut])
  isOver = true
  clearTimeout(timer)
  await server.stop(true)
}

/** How often the event loop turns in a pause for clients: 300 ms, and longer on a machine so busy that clients are late too. */
const turnsPerPause = 30
const turnMs = 10
/** However late it is, a process that was kept from running reads what has arrived meanwhile. */
const turnsMin = 5

/**
 * Waits in turns of the event loop while `goesOn` says so.
 *
 * @param turnsMax after so many it ends in any case; not said: a pause for clients whose request is on its way
 * @param isLate whether it may end once the loop has read what had arrived
 */
export async function turnsWhile(
  goesOn: () => boolean,
  { turnsMax = turnsPerPause, isLate = () => false }: { turnsMax?: number; isLate?: () => boolean } = {},
): Promise<void> {
  for (let turn = 0; turn < turnsMax && goesOn(); turn++) {
    if (turn >= turnsMin && isLate()) return
    await Bun.sleep(turnMs)
  }
}

/** Paths for certificate authorities (RFC 8555 section 8.3) and for the box's own check, always over plain HTTP. */
const neverSentOn = ['/.well-known/acme-challenge/', proofPathPrefix]

export interface Redirection {
  /** Whether the host is served over https with a certificate of its own. */
  hasCertificate: (host: string) => boolean
  /** `null`: the default port of https. */
  httpsPort: number | null
}

/**
 * Answers plain HTTP beside https: redirects requests for a host with a certificate, and serves the site of any other host.
 *
 * @param redirection `null`: no redirects
 * @throws when the address is taken
 */
export function startRedirectingListener(
  basics: ListenerBasics,
  address: BindAddress,
  redirection: Redirection | null,
): Listener {
  return startListener(basics, address, redirection === null ? undefined : (parts) => toHttps(parts, redirection))
}

function toHttps(parts: ListenerParts, { hasCertificate, httpsPort }: Redirection): EarlyAnswering {
  const { clock, requests } = parts
  const arrivals = new ArrivalReader(parts, 'http')
  const figures = requests.of('redirect')
  const port = httpsPort === null ? '' : `:${httpsPort}`
  return (request, server) => {
    const startedMs = clock.monotonicMs()
    const arrival = arrivals.read(request, server)
    // A visitor behind a trusted proxy may already use https.
    if (arrival === null || arrival.secure || !hasCertificate(arrival.host)) return null
    const target = requestTarget(request)
    if (neverSentOn.some((prefix) => target.startsWith(prefix))) return null
    const answer = tooManyRequests(arrival, parts) ?? sentOn(`https://${arrival.host}${port}${target}`)
    figures.note(answer.status, clock.monotonicMs() - startedMs)
    return answer
  }
}

/** Keeps method and body (RFC 9110 section 15.4.9). Not cacheable, since the certificate may go away. */
const sentOn = (location: string): Response => bare(308, { location })

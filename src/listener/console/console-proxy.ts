import { clientAddressHeader, type ProxySocket, proxySecretHeader, schemeHeader } from '../../console/proxy-socket.ts'
import { requestTarget } from '../../lib/request-target.ts'
import { backInAMoment, smallPage } from '../answer/small-page.ts'
import type { PeerSource } from '../peer-source.ts'
import { Places, SilenceLimit } from './limits.ts'

/** What belongs to one connection and not to the message (RFC 9110 section 7.6.1). */
const ofTheConnection = ['connection', 'keep-alive', 'proxy-connection', 'te', 'transfer-encoding', 'upgrade']

/** A client that keeps the console waiting for so long has gone; a proxy may read in bursts. */
const silentMsMax = 60_000

/**
 * The console's own cookies take some 300 characters. Any page of the same registrable domain can set cookies that the browser
 * sends here as well, until no request fits: Bun refuses headers over 16 KB before we see them.
 */
const cookieCharactersMax = 8192

/** A year. The console answers over https alone, so nothing can be lost by it, whatever `[https] hsts` says of sites. */
const httpsAlone = 'max-age=31536000'

/** Sends a request to where the console answers, with what the listener knows of its client in the headers. */
export type ConsoleWay = (url: URL, init: BunFetchRequestInit & { headers: Headers }) => Promise<Response>

/** The console's thread, here or on another node, while somebody uses it. */
export interface ConsoleUse {
  send: ConsoleWay
  /** Aborts when the thread ends. What it was sent gets no answer any more. */
  gone: AbortSignal
  /** May be called again. */
  end(): void
}

/** The console's thread, as the listeners know it. */
export interface ConsoleBehind {
  /** Whether another node of the cluster answers for the console, or is about to. */
  readonly isElsewhere: boolean
  /**
   * Resolves once the thread answers; starts the thread if nobody has used the console for a while. Until the use ends the thread
   * does not rest.
   */
  use(): Promise<ConsoleUse>
}

export interface ConsoleRequest {
  request: Request
  server: PeerSource | null
  ownOrigin: string
  clientAddress: string
  secure: boolean
}

/** Hands requests for the console on to its thread, so that none of its work delays a visitor. */
export class ConsoleProxy {
  private readonly live = new Set<AbortController>()
  private readonly places = new Places()

  /**
   * @param host of the console, lower-case, without port; `null`: it has none on the public listeners
   * @param silentMs how long a client may keep the console waiting
   */
  constructor(
    readonly host: string | null,
    private readonly behind: ConsoleBehind,
    private readonly silentMs = silentMsMax,
  ) {}

  /** A request for the console's host on a public listener. */
  async answer(arrival: ConsoleRequest & { host: string }): Promise<Response> {
    if (!arrival.secure) return onlyHttps(arrival.host)
    const answer = await this.handOn(arrival)
    answer.headers.set('strict-transport-security', httpsAlone)
    return answer
  }

  /** Ends the live parts of pages, which would never end by themselves; whoever looks connects again. */
  endLive(): void {
    for (const ending of this.live) ending.abort()
  }

  async handOn(arrival: ConsoleRequest): Promise<Response> {
    if ((arrival.request.headers.get('cookie') ?? '').length > cookieCharactersMax) return tooManyCookies()
    const leave = await this.places.take(arrival.clientAddress)
    if (leave === null) return backInAMoment(arrival)
    const use = await this.behind.use().catch(() => null)
    if (use === null) {
      leave()
      return this.unanswered(arrival)
    }
    return this.exchange(arrival, {
      ...use,
      end: () => {
        leave()
        use.end()
      },
    })
  }

  private async exchange(arrival: ConsoleRequest, use: ConsoleUse): Promise<Response> {
    const silence = new SilenceLimit(arrival.request, arrival.server, this.silentMs)
    const ending = new AbortController()
    try {
      const answer = await this.ask(arrival, { use, silence, ending })
      return this.passedBack(answer, arrival, { use, silence, ending })
    } catch {
      silence.end()
      use.end()
      return this.unanswered(arrival)
    }
  }

  private unanswered(arrival: ConsoleRequest): Response {
    return this.behind.isElsewhere ? movesOn(arrival) : backInAMoment(arrival)
  }

  private ask(
    { request, ownOrigin, clientAddress, secure }: ConsoleRequest,
    { use, silence, ending }: Exchange,
  ): Promise<Response> {
    const headers = withoutConnection(request.headers)
    headers.set(clientAddressHeader, clientAddress)
    headers.set(schemeHeader, secure ? 'https' : 'http')
    const { method, signal } = request
    return use.send(new URL(withoutTls(ownOrigin) + requestTarget(request)), {
      method,
      headers,
      body: request.body === null ? null : watchedBody(request.body, whileReceiving(silence)),
      redirect: 'manual',
      decompress: false,
      signal: AbortSignal.any([signal, ending.signal, use.gone]),
    })
  }

  private passedBack(answer: Response, { request }: ConsoleRequest, { use, silence, ending }: Exchange): Response {
    const ended = () => {
      silence.end()
      this.live.delete(ending)
      use.end()
    }
    const shown = { status: answer.status, headers: withoutConnection(answer.headers) }
    if (answer.body === null || request.signal.aborted) {
      ended()
      return new Response(null, shown)
    }
    if (isLive(answer)) this.live.add(ending)
    // Bun does not cancel a body that it has not begun to send.
    request.signal.addEventListener('abort', ended, { once: true })
    return new Response(watchedBody(answer.body, whileSending(silence, ended)), shown)
  }
}

interface Exchange {
  use: ConsoleUse
  silence: SilenceLimit
  /** Ends the answer before it is over. */
  ending: AbortController
}

/** The client has to send; once it has, the console may think for as long as it needs. */
function whileReceiving(silence: SilenceLimit): BodyWatch {
  let sent: Uint8Array | null = null
  return {
    awaited() {
      // Frees it: an upload makes garbage faster than the heap is collected, and collecting it would make visitors wait.
      if (sent?.buffer instanceof ArrayBuffer) sent.buffer.transfer(0)
      silence.begin()
    },
    passed(piece) {
      sent = piece
      silence.progress(piece.byteLength)
    },
    ended: () => silence.pause(),
  }
}

/** The console may pause, as what is live does; the client has to take what came. */
const whileSending = (silence: SilenceLimit, ended: () => void): BodyWatch => ({
  awaited: () => silence.pause(),
  passed: () => {
    silence.renew()
    silence.begin()
  },
  ended,
})

/** Through the socket of the thread in this process. */
export const wayToThread =
  ({ socket, secret }: ProxySocket): ConsoleWay =>
  (url, init) => {
    init.headers.set(proxySecretHeader, secret)
    return fetch(url, { ...init, unix: socket })
  }

function withoutConnection(from: Headers): Headers {
  const headers = new Headers(from)
  for (const name of ofTheConnection) headers.delete(name)
  return headers
}

/** Whatever the client speaks, the way to the thread is a socket of this machine. */
const withoutTls = (origin: string): string => origin.replace(/^https:/, 'http:')

const isLive = ({ headers }: Response): boolean => headers.get('content-type') === 'text/event-stream'

/** What is typed into a page that came over plain HTTP can be read on the way. */
const onlyHttps = (host: string): Response =>
  smallPage({
    status: 403,
    language: 'en',
    title: 'Only over https',
    text: `The console answers at https://${host} alone. If that does not open yet, its certificate is still being ordered: capture domain check ${host} says how it stands.`,
  })

/** Has the browser remove the cookies of the whole registrable domain, since only it knows their names and paths. */
const tooManyCookies = (): Response =>
  smallPage({
    status: 431,
    language: 'en',
    title: 'Too many cookies',
    text: 'Another website under the same domain has set so many cookies that the console cannot answer. They are removed now. Reload this page, and sign in again.',
    headers: { 'clear-site-data': '"cookies"' },
  })

const retrySeconds = 3

/** While this node reaches none that leads. A page tries again by itself; what somebody sent is not sent twice. */
function movesOn({ request: { method, url } }: ConsoleRequest): Response {
  const text =
    'The machine that answers for the console is away. Another one of the cluster takes over, mostly within 15 seconds.'
  const headers = { 'retry-after': String(retrySeconds) }
  if (new URL(url, 'http://console.invalid').pathname.startsWith('/api/'))
    return Response.json({ error: { code: 'unavailable', message: text } }, { status: 503, headers })
  const isLook = method === 'GET'
  const next = isLook
    ? 'This page tries again by itself.'
    : 'Look whether your change was made before you send it again.'
  return smallPage({
    status: 503,
    language: 'en',
    title: 'In a moment',
    text: `${text} ${next}`,
    headers: { ...headers, ...(isLook ? { refresh: String(retrySeconds) } : {}) },
  })
}

interface BodyWatch {
  /** The next piece has to come from its sender. */
  awaited(): void
  /** A piece has come; it has to be taken. Once the next one is awaited, it was. */
  passed(piece: Uint8Array): void
  /** The body has ended, or its receiver has gone. Called once. */
  ended(): void
}

/**
 * Passes a body on, piece by piece, as it is asked for. When the sender breaks off, so does the answer: the receiver never takes a
 * part for the whole.
 */
function watchedBody(body: ReadableStream<Uint8Array>, watch: BodyWatch): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  const source = {
    async pull(controller: ReadableStreamDefaultController<Uint8Array>) {
      watch.awaited()
      try {
        const { done, value } = await reader.read()
        if (!done) {
          watch.passed(value)
          return controller.enqueue(value)
        }
        watch.ended()
        controller.close()
      } catch {
        watch.ended()
        // Bun prints a reason on stderr, whoever handles it; without one it breaks the connection in silence.
        controller.error(undefined)
      }
    },
    cancel(reason: unknown) {
      watch.ended()
      // The sender may have broken off already.
      return reader.cancel(reason).catch(() => {})
    },
  }
  // The next piece is asked for only when the one before was taken.
  return new ReadableStream(source, { highWaterMark: 0 })
}

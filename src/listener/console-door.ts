import { clientAddressHeader, type Passage, passageHeader, schemeHeader } from '../console/passage.ts'
import { requestTarget } from '../lib/request-target.ts'
import { smallPage } from './small-page.ts'
import { backInAMoment } from './too-many-downloads.ts'

/** What belongs to one connection and not to the message (RFC 9110 section 7.6.1). */
const ofTheConnection = ['connection', 'keep-alive', 'proxy-connection', 'te', 'transfer-encoding', 'upgrade']

/** The console's thread, as the listeners know it. */
export interface ConsoleBehind {
  /**
   * Works once the thread answers at the passage; starts the thread if nobody has used the console for a while. Until the work
   * is done the thread does not rest.
   */
  use<T>(work: (passage: Passage) => Promise<T>): Promise<T>
}

/** A request for the console, as its listener has read it. */
interface ConsoleRequest {
  request: Request
  ownOrigin: string
  clientAddress: string
  secure: boolean
}

/** Hands requests for the console on to its thread, so that none of its work delays a visitor. */
export class ConsoleDoor {
  private readonly live = new Set<AbortController>()

  /** @param host of the console, lower-case, without port; `null`: it has none on the public listeners */
  constructor(
    readonly host: string | null,
    private readonly behind: ConsoleBehind,
  ) {}

  /** A request for the console's host on a public listener. */
  answer(arrival: ConsoleRequest & { host: string }): Response | Promise<Response> {
    return arrival.secure ? this.handOn(arrival) : onlyHttps(arrival.host)
  }

  /** Ends the live parts of pages, which would never end by themselves; whoever looks connects again. */
  endLive(): void {
    for (const ending of this.live) ending.abort()
  }

  private followed({ body }: Response, { signal }: Request, ending: AbortController): ReadableStream | null {
    this.live.add(ending)
    const over = () => void this.live.delete(ending)
    signal.addEventListener('abort', over, { once: true })
    return body?.pipeThrough(new TransformStream({ flush: over })) ?? null
  }

  async handOn({ request, ownOrigin, clientAddress, secure }: ConsoleRequest): Promise<Response> {
    const headers = new Headers(request.headers)
    for (const name of ofTheConnection) headers.delete(name)
    const ending = new AbortController()
    try {
      const answer = await this.behind.use(({ socket, secret }) => {
        headers.set(passageHeader, secret)
        headers.set(clientAddressHeader, clientAddress)
        headers.set(schemeHeader, secure ? 'https' : 'http')
        return fetch(new URL(requestTarget(request), withoutTls(ownOrigin)), {
          unix: socket,
          method: request.method,
          headers,
          body: request.body,
          redirect: 'manual',
          decompress: false,
          signal: AbortSignal.any([request.signal, ending.signal]),
        })
      })
      const back = new Headers(answer.headers)
      for (const name of ofTheConnection) back.delete(name)
      const body = isLive(answer) ? this.followed(answer, request, ending) : answer.body
      return new Response(body, { status: answer.status, headers: back })
    } catch {
      return backInAMoment()
    }
  }
}

/** Whatever the client speaks, the way to the thread is a socket of this machine. */
const withoutTls = (origin: string): string => origin.replace(/^https:/, 'http:')

const isLive = ({ headers }: Response): boolean => headers.get('content-type') === 'text/event-stream'

/** What is typed into a page that came over plain HTTP can be read on the way. */
const onlyHttps = (host: string): Response =>
  smallPage({
    status: 403,
    title: 'Only over https',
    text: `The console answers at https://${host} alone. If that does not open yet, its certificate is still being ordered: capture domain check ${host} says how it stands.`,
  })

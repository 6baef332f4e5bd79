import type { CertificatePair, PairText } from '../../https/certificate-pair.ts'
import { SelfCheck } from '../../https/self-check.ts'
import { HostReader } from '../arrival.ts'
import { failedRequest } from '../failed-request.ts'
import {
  type BindAddress,
  type Listener,
  type ListenerBasics,
  serveOptions,
  stopGently,
  turnsWhile,
} from '../listener.ts'
import type { ListenerParts } from '../listener-parts.ts'
import { RequestHandler } from '../request-handler.ts'

/** How long the old generation keeps answering: longer than clients need to learn that they should reconnect. */
const drainMs = 5000
const retryMs = 60_000

interface HttpsOptions {
  address: BindAddress
  http2: boolean
  /** 0: no header. */
  hstsSeconds: number
  /** For handshakes without a host, or with one that has no certificate. */
  defaultPair: PairText
}

/**
 * Answers HTTPS. Bun cannot change a server's certificates, so each change starts a new server on the same port while the old one
 * drains (docs/decisions/0033). At most one generation drains at a time; changes during that time wait and are applied together.
 */
export class HttpsListener implements Listener {
  private readonly handler: RequestHandler
  private readonly failed: (error: unknown) => Response
  private readonly address: BindAddress
  private readonly selfCheck: SelfCheck
  private current: Generation
  private draining: { generation: Generation | null; timer: Timer } | null = null
  /** Drained generations that still send long downloads. */
  private readonly closing = new Set<Generation>()
  private waiting: CertificatePair[] | null = null
  private isLeaving = false

  private constructor(
    private readonly basics: ListenerBasics,
    private readonly options: HttpsOptions,
    pairs: CertificatePair[],
  ) {
    this.handler = new RequestHandler(basics.queue, 'https')
    this.failed = failedRequest(basics)
    this.address = options.address
    this.selfCheck = new SelfCheck({ address: this.address, log: basics.log })
    this.current = this.open(pairs)
  }

  /** @throws when the address is taken */
  static start(basics: ListenerBasics, options: HttpsOptions, pairs: CertificatePair[]): HttpsListener {
    return new HttpsListener(basics, options, pairs)
  }

  get port(): number {
    return this.address.port
  }

  lead(parts: ListenerParts): void {
    this.handler.lead(parts)
    // Not earlier, because a predecessor listens on the same port.
    void this.selfCheck.ask()
  }

  /** Applies no further changes of certificates. */
  drain(): void {
    this.waiting = null
    this.isLeaving = true
    this.selfCheck.stop()
    this.handler.drain()
  }

  leave(): void {
    this.handler.leave()
  }

  /** Whether every handshake for this host gets its own certificate. Both generations accept new connections. */
  hasCertificate(host: string): boolean {
    return this.current.hosts.has(host) && this.draining?.generation?.hosts.has(host) !== false
  }

  /** Sets the certificates. New connections get them at once, or after the current drain. */
  use(pairs: CertificatePair[]): void {
    if (this.isLeaving) return
    if (this.draining === null) this.swap(pairs)
    else this.waiting = pairs
  }

  /** Stops accepting and waits for what is in flight; what is still under way after `graceMs` is cut. */
  async stop(graceMs: number): Promise<void> {
    clearTimeout(this.draining?.timer)
    this.waiting = null
    this.isLeaving = true
    this.selfCheck.stop()
    const all = [this.current, ...this.closing]
    if (this.draining?.generation) all.push(this.draining.generation)
    this.draining = null
    await Promise.all(all.map((generation) => generation.stop(graceMs)))
  }

  private swap(pairs: CertificatePair[]): void {
    const before = this.current
    try {
      this.current = this.open(pairs)
    } catch (error) {
      this.retryLater(pairs, error)
      return
    }
    before.drain()
    this.draining = { generation: before, timer: setTimeout(() => void this.endDrain(before), drainMs) }
    this.basics.log.info('The certificates in use have changed.', { names: pairs.length })
  }

  /** The port was bound before, so a failure means missing resources such as descriptors. */
  private retryLater(pairs: CertificatePair[], error: unknown): void {
    this.basics.log.error('The new certificates could not be put into use: the old ones stay, and this is retried.', {
      error: error instanceof Error ? error.message : 'unknown',
    })
    this.waiting = pairs
    this.draining = { generation: null, timer: setTimeout(() => this.drained(null), retryMs) }
  }

  /** A process that was kept from running first hears who has come meanwhile. */
  private async endDrain(generation: Generation): Promise<void> {
    await turnsWhile(() => true)
    if (this.draining?.generation === generation) this.drained(generation)
  }

  private drained(generation: Generation | null): void {
    if (generation !== null) {
      this.closing.add(generation)
      void generation.ended().then(() => {
        this.closing.delete(generation)
        this.basics.log.info('Connections with the old certificates have ended.')
      })
    }
    this.draining = null
    const pairs = this.waiting
    this.waiting = null
    if (pairs !== null) this.swap(pairs)
    // Until now a handshake could have reached the draining generation.
    else if (!this.isLeaving) void this.selfCheck.ask()
  }

  private open(pairs: CertificatePair[]): Generation {
    const { http2, hstsSeconds, defaultPair } = this.options
    const { address, handler, failed } = this
    const generation = new Generation({ handler, failed, address, http2, hstsSeconds, defaultPair, pairs })
    this.basics.certificates.use(pairs)
    this.selfCheck.expect(pairs)
    return generation
  }
}

interface GenerationParts {
  handler: RequestHandler
  failed: (error: unknown) => Response
  address: BindAddress
  http2: boolean
  hstsSeconds: number
  defaultPair: PairText
  pairs: CertificatePair[]
}

const hstsHeader = 'strict-transport-security'

/** One server on the HTTPS port, with a fixed set of certificates. */
class Generation {
  readonly hosts: ReadonlySet<string>
  private readonly server: Bun.Server<undefined>
  private readonly hsts: string | null
  private readonly readHost = new HostReader()
  private draining = false

  constructor({ handler, failed, address, http2, hstsSeconds, defaultPair, pairs }: GenerationParts) {
    this.hosts = new Set(pairs.map(({ host }) => host))
    this.hsts = hstsSeconds === 0 ? null : `max-age=${hstsSeconds}`
    this.server = Bun.serve({
      ...serveOptions(address),
      http2,
      tls: [tlsOf(defaultPair), ...pairs.map((pair) => ({ ...tlsOf(pair), serverName: pair.host }))],
      error: (error) => failed(error),
      fetch: (request, server) => {
        const answer = handler.answer(request, server)
        if (this.hsts === null && !this.draining) return answer
        return answer instanceof Promise
          ? answer.then((answer) => this.marked(answer, request))
          : this.marked(answer, request)
      },
    })
  }

  /** Makes each answer ask its client to reconnect, which leads to the next generation. */
  drain(): void {
    this.draining = true
  }

  /** Closes idle connections. Resolves when the last answer has been sent. */
  ended(): Promise<void> {
    return this.server.stop()
  }

  stop(graceMs: number): Promise<void> {
    return stopGently(this.server, graceMs)
  }

  private marked(answer: Response, { headers }: Request): Response {
    if (this.hsts !== null && !answer.headers.has(hstsHeader) && this.isOurs(headers.get('host'))) {
      answer.headers.set(hstsHeader, this.hsts)
    }
    if (this.draining) answer.headers.set('connection', 'close')
    return answer
  }

  /** Whether the host has a certificate. For other hosts browsers ignore the header after their certificate warning. */
  private isOurs(host: string | null): boolean {
    const named = this.readHost.read(host)
    return named !== null && this.hosts.has(named.name)
  }
}

/** Only TLS 1.2 and 1.3 (RFC 8996), which is also Bun's default minimum. */
const tls12 = 0x0303

/**
 * The ciphers of TLS 1.2 with forward secrecy and authenticated encryption (RFC 9325 section 4.2). By default Bun also offers RSA
 * key exchange and CBC. TLS 1.3 has only such ciphers.
 */
const ciphers = [
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
].join(':')

const tlsOf = ({ certificate, key }: PairText) => ({ cert: certificate, key, minVersion: tls12, ciphers })

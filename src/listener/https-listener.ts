import type { CertificatePair, PairText } from '../https/certificate-pair.ts'
import { SelfCheck } from '../https/self-check.ts'
import { Entrance } from './entrance.ts'
import { failedRequest } from './failed-request.ts'
import { Generation } from './generation.ts'
import type { Listener, ListenerBasics } from './listener.ts'
import type { ListenerParts } from './listener-parts.ts'
import type { BindAddress } from './serve-options.ts'

/** How long the generation before goes on answering: longer than clients take to hear that they shall connect anew. */
const drainMs = 5000
const retryMs = 60_000

export interface HttpsOptions {
  address: BindAddress
  http2: boolean
  /** 0: no header. */
  hstsSeconds: number
  /** Shown to handshakes that name no host, or one without a certificate. */
  defaultPair: PairText
}

/**
 * Answers HTTPS. Bun cannot change the certificates of a server, so that each change makes a new server on the same
 * port, and the one before drains (docs/decisions/0033). One generation at most drains at a time: what changes meanwhile
 * waits and is swapped in together.
 */
export class HttpsListener implements Listener {
  private readonly entrance: Entrance
  private readonly failed: (error: unknown) => Response
  private readonly address: BindAddress
  private readonly selfCheck: SelfCheck
  private current: Generation
  private draining: { generation: Generation | null; timer: Timer } | null = null
  /** Those that have drained and still send long downloads. */
  private readonly closing = new Set<Generation>()
  private waiting: CertificatePair[] | null = null
  private isLeaving = false

  private constructor(
    private readonly basics: ListenerBasics,
    private readonly options: HttpsOptions,
    pairs: CertificatePair[],
  ) {
    this.entrance = new Entrance(basics.gate, 'https')
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
    this.entrance.lead(parts)
    // Not before: who is taken over from listens on the same port.
    void this.selfCheck.ask()
  }

  /** Certificates stay as they are from now on. */
  drain(): void {
    this.waiting = null
    this.isLeaving = true
    this.selfCheck.stop()
    this.entrance.drain()
  }

  /** Whether every handshake for this host is shown a certificate of its own: both generations take new connections. */
  hasCertificate(host: string): boolean {
    return this.current.hosts.has(host) && this.draining?.generation?.hosts.has(host) !== false
  }

  /** From now on these are the certificates; new connections see them at once, or when the drain under way is over. */
  use(pairs: CertificatePair[]): void {
    if (this.isLeaving) return
    if (this.draining === null) this.swap(pairs)
    else this.waiting = pairs
  }

  /** Stops accepting and waits for what is in flight; what is still under way after `graceMs` is cut. */
  async stop(graceMs: number): Promise<void> {
    clearTimeout(this.draining?.timer)
    this.waiting = null
    this.selfCheck.stop()
    const all = [this.current, ...this.closing]
    if (this.draining?.generation) all.push(this.draining.generation)
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
    this.draining = { generation: before, timer: setTimeout(() => this.drained(before), drainMs) }
    this.basics.log.info('The certificates in use have changed.', { names: pairs.length })
  }

  /** The port was bound before, so that it is a lack of something, such as descriptors. */
  private retryLater(pairs: CertificatePair[], error: unknown): void {
    this.basics.log.error(
      'The new certificates could not be taken into use: those before stay, and it is tried again.',
      {
        error: error instanceof Error ? error.message : 'unknown',
      },
    )
    this.waiting = pairs
    this.draining = { generation: null, timer: setTimeout(() => this.drained(null), retryMs) }
  }

  private drained(generation: Generation | null): void {
    if (generation !== null) {
      this.closing.add(generation)
      void generation.ended().then(() => {
        this.closing.delete(generation)
        this.basics.log.info('Connections with the certificates before have ended.')
      })
    }
    this.draining = null
    const pairs = this.waiting
    this.waiting = null
    if (pairs !== null) this.swap(pairs)
    // Before, each handshake may have met the generation that drained.
    else void this.selfCheck.ask()
  }

  private open(pairs: CertificatePair[]): Generation {
    const { http2, hstsSeconds, defaultPair } = this.options
    const { address, entrance, failed } = this
    const generation = new Generation({ entrance, failed, address, http2, hstsSeconds, defaultPair, pairs })
    this.basics.certificates.use(pairs)
    this.selfCheck.expect(pairs)
    return generation
  }
}

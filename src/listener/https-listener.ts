import type { CertificatePair, PairText } from '../https/certificate-pair.ts'
import { SelfCheck } from '../https/self-check.ts'
import { Entrance } from './entrance.ts'
import { failedRequest } from './failed-request.ts'
import { Generation } from './generation.ts'
import type { Listener, ListenerBasics } from './listener.ts'
import type { ListenerParts } from './listener-parts.ts'
import type { BindAddress } from './serve-options.ts'
import { turnsWhile } from './turns.ts'

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
  private readonly entrance: Entrance
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
    // Not earlier, because a predecessor listens on the same port.
    void this.selfCheck.ask()
  }

  /** Applies no further changes of certificates. */
  drain(): void {
    this.waiting = null
    this.isLeaving = true
    this.selfCheck.stop()
    this.entrance.drain()
  }

  leave(): void {
    this.entrance.leave()
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
    const { address, entrance, failed } = this
    const generation = new Generation({ entrance, failed, address, http2, hstsSeconds, defaultPair, pairs })
    this.basics.certificates.use(pairs)
    this.selfCheck.expect(pairs)
    return generation
  }
}

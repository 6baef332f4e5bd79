import type { Browser, BrowserContextOptions } from 'playwright-core'
import type { ASite } from '../../harness/a-site.ts'
import { Box, type BoxConfig } from '../../harness/box.ts'
import { type Certificate, selfSignedCertificate } from './certificate.ts'
import { startChromium, startUnwatchedChromium, startWholeChromium } from './chromium.ts'
import { Front } from './front.ts'
import { Visitor } from './visitor.ts'

const previewHost = 'preview.test'

/** What a front shows and passes on. */
interface Reach {
  certificate: Certificate
  hosts: ReadonlySet<string>
}

/** A box behind a TLS proxy, other people's sites, and a Chromium that reaches them by name and nothing else. */
export class World {
  private readonly visitors: Visitor[] = []
  private readonly unwatched: (() => Promise<void>)[] = []

  private constructor(
    readonly box: Box,
    readonly front: Front,
    private readonly browser: Browser,
    private readonly reach: Reach,
  ) {}

  /** One for each test file: it takes a few seconds. */
  static async start(sites: ASite[], config: BoxConfig = {}): Promise<World> {
    const server = { preview_host: previewHost, trusted_proxies: ['127.0.0.1/32'], ...config.server }
    const box = await Box.start(sites, { ...config, server })
    const certificate = await selfSignedCertificate()
    const ofPreviews = sites.map(({ account }) => `${account}.${server.preview_host}`)
    const hosts = new Set([...sites.flatMap(({ domains }) => domains), server.preview_host, ...ofPreviews])
    return World.before(box, { certificate, hosts })
  }

  private static async before(box: Box, reach: Reach, startBrowser = startChromium): Promise<World> {
    const { certificate, hosts } = reach
    const front = new Front(certificate, hosts, () => box.port)
    return new World(box, front, await startBrowser(front.port, certificate.publicKeyHash), reach)
  }

  /**
   * Another front and another browser before the same box, for tests that run beside others: what they record and
   * disturb is theirs alone. It is to be disposed of. `whole`: the browser has a back/forward cache.
   */
  aside({ whole = false } = {}): Promise<World> {
    return World.before(this.box, this.reach, whole ? startWholeChromium : startChromium)
  }

  /** Somebody with a fresh browser profile. */
  async visitor(options: BrowserContextOptions = {}): Promise<Visitor> {
    const context = await this.browser.newContext(options)
    const visitor = new Visitor(context)
    this.visitors.push(visitor)
    return visitor
  }

  /** Somebody whose browser nobody watches opens an address; what comes of it, the front sees. */
  openUnwatched(url: string): void {
    this.unwatched.push(startUnwatchedChromium(this.front.port, this.reach.certificate.publicKeyHash, url))
  }

  /** After each test: everybody leaves, and what was recorded is forgotten. */
  async clear(): Promise<void> {
    await Promise.all(this.unwatched.splice(0).map((stop) => stop()))
    await Promise.all(this.visitors.splice(0).map((visitor) => visitor.leave()))
    this.front.reset()
  }

  async stop(): Promise<void> {
    await this[Symbol.asyncDispose]()
    await this.box.stop()
  }

  /** Ends the front and the browser; the box goes on. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.browser.close()
    await this.front.stop()
  }
}

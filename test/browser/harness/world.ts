import type { Browser, BrowserContextOptions } from 'playwright-core'
import type { ASite } from '../../harness/a-site.ts'
import { Box, type BoxConfig } from '../../harness/box.ts'
import { selfSignedCertificate } from './certificate.ts'
import { startChromium, startUnwatchedChromium } from './chromium.ts'
import { Front } from './front.ts'
import { Visitor } from './visitor.ts'

/** Time that a hook which starts a world may take, in milliseconds. */
export const worldStartMsMax = 90_000

/** How long a test waits for something to happen, in milliseconds: on a busy machine everything takes its time. */
export const waitMsMax = 20_000

/** What every file tells `setDefaultTimeout`: longer than any wait, since a test that is cut short loses its browser. */
export const testMsMax = 3 * waitMsMax

const previewHost = 'preview.test'

/** A box behind a TLS proxy, other people's sites, and a Chromium that reaches them by name and nothing else. */
export class World {
  private readonly visitors: Visitor[] = []
  private readonly unwatched: (() => Promise<void>)[] = []

  private constructor(
    readonly box: Box,
    readonly front: Front,
    private readonly browser: Browser,
    private readonly publicKeyHash: string,
  ) {}

  /** One for each test file: it takes a few seconds. */
  static async start(sites: ASite[], config: BoxConfig = {}): Promise<World> {
    const server = { preview_host: previewHost, trusted_proxies: ['127.0.0.1/32'], ...config.server }
    const box = await Box.start(sites, { ...config, server })
    const certificate = await selfSignedCertificate()
    const hosts = new Set([...sites.flatMap(({ domains }) => domains), server.preview_host])
    const front = new Front(certificate, hosts, () => box.port)
    const { publicKeyHash } = certificate
    return new World(box, front, await startChromium(front.port, publicKeyHash), publicKeyHash)
  }

  /** Somebody with a fresh browser profile. */
  async visitor(options: BrowserContextOptions = {}): Promise<Visitor> {
    const context = await this.browser.newContext(options)
    context.setDefaultTimeout(waitMsMax)
    const visitor = new Visitor(context)
    this.visitors.push(visitor)
    return visitor
  }

  /** Somebody whose browser nobody watches opens an address; what comes of it, the front sees. */
  openUnwatched(url: string): void {
    this.unwatched.push(startUnwatchedChromium(this.front.port, this.publicKeyHash, url))
  }

  /** After each test: everybody leaves, and what was recorded is forgotten. */
  async clear(): Promise<void> {
    await Promise.all(this.unwatched.splice(0).map((stop) => stop()))
    await Promise.all(this.visitors.splice(0).map((visitor) => visitor.leave()))
    this.front.reset()
  }

  async stop(): Promise<void> {
    await this.browser.close()
    await this.front.stop()
    await this.box.stop()
  }
}

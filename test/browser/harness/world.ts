import type { BrowserContextOptions } from 'playwright-core'
import type { ASite } from '../../harness/a-site.ts'
import { Box, type BoxConfig } from '../../harness/box.ts'
import { Reach, sharedReach, startUnwatchedChromium } from './chromium.ts'
import { Front } from './front.ts'
import { Visitor } from './visitor.ts'

const previewHost = 'preview.test'

/** A box behind a TLS proxy, other people's sites, and a Chromium that reaches them by name and nothing else. */
export class World {
  private readonly visitors: Visitor[] = []
  private readonly unwatched: (() => Promise<void>)[] = []
  private stays: Visitor | undefined
  readonly front: Front

  private constructor(
    readonly box: Box,
    private readonly hosts: ReadonlySet<string>,
    private readonly reach: Reach,
  ) {
    this.front = new Front(reach.server, hosts, () => box.port)
  }

  /** One for each test file. */
  static async start(sites: ASite[], config: BoxConfig = {}): Promise<World> {
    const server = { preview_host: previewHost, trusted_proxies: ['127.0.0.1/32'], ...config.server }
    const box = await Box.start(sites, { ...config, server })
    const ofPreviews = sites.map(({ account }) => `${account}.${server.preview_host}`)
    const hosts = new Set([...sites.flatMap(({ domains }) => domains), server.preview_host, ...ofPreviews])
    return new World(box, hosts, await sharedReach())
  }

  /**
   * Another front and another browser before the same box, for tests that run beside others: what they record and
   * disturb is theirs alone. It is to be disposed of. `whole`: the browser has a back/forward cache.
   */
  aside({ whole = false } = {}): World {
    return new World(this.box, this.hosts, new Reach(this.reach.certificate, whole))
  }

  /** Somebody with a fresh browser profile. */
  async visitor(options: BrowserContextOptions = {}): Promise<Visitor> {
    const browser = await this.reach.browser()
    const context = await browser.newContext(options)
    const visitor = new Visitor(context)
    this.visitors.push(visitor)
    return visitor
  }

  /**
   * Somebody who stays in all tests of a file, with what the browser keeps: a page that they `visit` takes a third of a
   * page in a fresh profile. For pages that send nothing as they are left.
   */
  async regular(): Promise<Visitor> {
    const browser = await this.reach.browser()
    if (this.stays?.context.browser() !== browser) this.stays = new Visitor(await browser.newContext())
    return this.stays
  }

  /** Somebody whose browser nobody watches opens an address; what comes of it, the front sees. */
  openUnwatched(url: string): void {
    this.unwatched.push(startUnwatchedChromium(this.reach, url))
  }

  /** After each test: everybody else leaves, and what was recorded is forgotten. */
  async clear(): Promise<void> {
    await Promise.all(this.unwatched.splice(0).map((stop) => stop()))
    await Promise.all(this.visitors.splice(0).map((visitor) => visitor.leave()))
    await this.stays?.rest()
    this.front.reset()
  }

  async stop(): Promise<void> {
    await this.clear()
    await this.stays?.leave()
    await this.box.stop()
  }

  /** Ends the front and the browser of an `aside`; the box goes on. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.reach[Symbol.asyncDispose]()
  }
}

import type { BrowserContext, Cookie, Page } from 'playwright-core'

/** One person's browser profile: no cookies, no storage, until a test's pages leave some. */
export class Visitor {
  /** What pages said on the console, as `warning: text`. */
  readonly notices: string[] = []
  /** Errors that nobody caught, of any page. */
  readonly errors: string[] = []
  private tab: Page | undefined
  private resting: Promise<void> | null = null

  constructor(readonly context: BrowserContext) {
    context.on('console', (message) => this.notices.push(`${message.type()}: ${message.text()}`))
    context.on('weberror', (error) => this.errors.push(String(error.error())))
  }

  /** Opens an address in a new tab and waits until it has loaded. */
  async open(url: string): Promise<Page> {
    const page = await this.context.newPage()
    await page.goto(url)
    return page
  }

  /** The same in the one tab of those who come back. */
  async visit(url: string): Promise<Page> {
    this.tab ??= await this.context.newPage()
    await this.tab.goto(url)
    return this.tab
  }

  /** Leaves the page that was visited, and forgets what it said. Tests that run at once end at once. */
  rest(): Promise<void> {
    this.resting ??= this.leavePage().finally(() => {
      this.resting = null
    })
    return this.resting
  }

  private async leavePage(): Promise<void> {
    if (this.context.browser()?.isConnected()) await this.tab?.goto('about:blank')
    this.notices.length = 0
    this.errors.length = 0
  }

  cookies(): Promise<Cookie[]> {
    return this.context.cookies()
  }

  leave(): Promise<void> {
    return this.context.close()
  }
}

/** Names of everything that a page's origin has stored. */
export const storedBy = (page: Page): Promise<string[]> =>
  page.evaluate(async () => [
    ...Object.keys(localStorage),
    ...Object.keys(sessionStorage),
    ...(await indexedDB.databases()).map(({ name }) => String(name)),
    ...(await caches.keys()),
  ])

import type { BrowserContext, Cookie, Page } from 'playwright-core'

/** One person's browser profile: no cookies, no storage, until a test's pages leave some. */
export class Visitor {
  /** What pages said on the console, as `warning: text`. */
  readonly notices: string[] = []
  /** Errors that nobody caught, of any page. */
  readonly errors: string[] = []

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

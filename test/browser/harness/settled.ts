import type { Page } from 'playwright-core'

/**
 * Waits until whatever the page has set out to send by now has arrived: two requests of its own, one after the other,
 * come after it.
 */
export const settled = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    for (let index = 0; index < 2; index++) await fetch('/favicon.ico', { cache: 'no-store' })
  })

/** The same after its timers have run as if this long had passed. The visitor's clock has to be ours from the start. */
export async function settledAfter(page: Page, ms: number): Promise<void> {
  await settled(page)
  await page.clock.runFor(ms)
  await settled(page)
}

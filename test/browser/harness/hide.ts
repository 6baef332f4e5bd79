import type { Page } from 'playwright-core'

/** Hides a page, as a switch to another tab does: what may be sent leaves without waiting for a timer. */
export const hide = (page: Page): Promise<void> =>
  page.evaluate(() => {
    Object.defineProperty(document, 'hidden', { value: true, configurable: true })
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
  })

/** The visitor is back. */
export const show = (page: Page): Promise<void> =>
  page.evaluate(() => {
    Object.defineProperty(document, 'hidden', { value: false, configurable: true })
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
  })

import { join } from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'

const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }
const desk = { viewport: { width: 1280, height: 900 } }

/** The ways in which people see a page: on a phone and on a desk, by day and by night. */
export const looks: { look: string; options: BrowserContextOptions }[] = [
  { look: 'phone-light', options: { ...phone, colorScheme: 'light' } },
  { look: 'phone-dark', options: { ...phone, colorScheme: 'dark' } },
  { look: 'desk-light', options: { ...desk, colorScheme: 'light' } },
  { look: 'desk-dark', options: { ...desk, colorScheme: 'dark' } },
]

/** Whether a visitor would have to scroll sideways. (A phone's `innerWidth` grows with what is too wide.) */
export const isTooWide = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)

/** Keeps what the page looks like now in the folder that `SCREENSHOTS` names, if it names one, to be looked at. */
export async function keepLook(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
}

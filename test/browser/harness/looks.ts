import { join } from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { colourViolations, violations } from './violations.ts'

const devices: { device: string; options: BrowserContextOptions }[] = [
  { device: 'phone', options: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true } },
  { device: 'desk', options: { viewport: { width: 1280, height: 900 } } },
]

/**
 * What is wrong with a page in the ways in which people see it: on a phone and on a desk, by day and by night. Both
 * devices open it at once, and each shows it in both lights: that it comes as far as it should takes most of the time.
 * @param name What the pictures are called that are kept of it.
 * @param reach Brings the page, in a browser with these options, to the state that is looked at.
 */
export async function faultsInAllLooks(
  name: string,
  reach: (options: BrowserContextOptions) => Promise<Page>,
): Promise<string[]> {
  const found = devices.map(async ({ device, options }) => {
    const page = await reach(options)
    const byDay = await faults(page, 'light', `${name}-${device}`)
    const byNight = await faults(page, 'dark', `${name}-${device}`)
    // A page that goes on asking its box takes time from those after it.
    await page.close()
    return [...byDay, ...byNight]
  })
  return (await Promise.all(found)).flat()
}

async function faults(page: Page, colorScheme: 'light' | 'dark', name: string): Promise<string[]> {
  const look = `${name}-${colorScheme}`
  await page.emulateMedia({ colorScheme })
  await keepLook(page, look)
  // The night changes a page's colours and nothing else of it.
  const found = await (colorScheme === 'light' ? violations : colourViolations)(page)
  if (await isTooWide(page)) found.push('one has to scroll sideways')
  return found.map((fault) => `${look}: ${fault}`)
}

/** Whether a visitor would have to scroll sideways. (A phone's `innerWidth` grows with what is too wide.) */
export const isTooWide = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)

/** Keeps what the page looks like now in the folder that `SCREENSHOTS` names, if it names one, to be looked at. */
async function keepLook(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
}

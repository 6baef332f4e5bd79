import { join } from 'node:path'
import type { BrowserContextOptions, CDPSession, Page } from 'playwright-core'
import { colourViolations, violations } from './violations.ts'

type Device = 'desk' | 'phone'
const viewports = { desk: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } }

/**
 * What is wrong with a page in the ways in which people see it: on a desk and on a phone, by day and by night. It is
 * opened once, and turned from one into the other: nothing but its style knows what it is shown on.
 * @param name What the pictures are called that are kept of it.
 * @param reach Brings the page, in a browser with these options, to the state that is looked at.
 */
export async function faultsInAllLooks(
  name: string,
  reach: (options: BrowserContextOptions) => Promise<Page>,
): Promise<string[]> {
  const page = await reach({ viewport: viewports.desk })
  const found: string[] = []
  for (const device of ['desk', 'phone'] as const) {
    await showOn(page, device)
    const shownWidth = await page.evaluate(() => document.documentElement.clientWidth)
    if (shownWidth !== viewports[device].width) found.push(`${name} is ${shownWidth} pixels wide on a ${device}`)
    for (const light of ['light', 'dark'] as const) found.push(...(await faults(page, light, `${name}-${device}`)))
  }
  return found
}

/** Each session of these tools keeps its own device, and would show it again after a form was sent. */
const toolsOf = new WeakMap<Page, Promise<CDPSession>>()

function toolsFor(page: Page): Promise<CDPSession> {
  const opened = toolsOf.get(page) ?? page.context().newCDPSession(page)
  toolsOf.set(page, opened)
  return opened
}

/** As the browser's own tools for developers do it. */
async function showOn(page: Page, device: Device): Promise<void> {
  const mobile = device === 'phone'
  const tools = await toolsFor(page)
  await tools.send('Emulation.setDeviceMetricsOverride', { ...viewports[device], deviceScaleFactor: 1, mobile })
  await tools.send('Emulation.setTouchEmulationEnabled', { enabled: mobile })
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
export async function keepLook(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS
  if (!folder) return
  // Playwright's own picture of a full page would show it on a desk from then on.
  const { data } = await (await toolsFor(page)).send('Page.captureScreenshot', { captureBeyondViewport: true })
  await Bun.write(join(folder, `${name}.png`), Buffer.from(data, 'base64'))
}

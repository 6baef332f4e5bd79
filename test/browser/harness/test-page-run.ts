import type { Page } from 'playwright-core'

/** How long the test page may take: it tries one thing after the other, and waits for what must not happen. */
const runMsMax = 60_000

/** Time for a test that lets it run twice. */
export const testPageMsMax = 3 * runMsMax

/** Waits until the test page has tried everything. */
export async function testPageRun(page: Page): Promise<void> {
  await page.locator('button.again:enabled').waitFor({ timeout: runMsMax })
}

import type { Page } from 'playwright-core'

/** Waits until the test page has tried everything. */
export async function testPageRun(page: Page): Promise<void> {
  await page.locator('button.again:enabled').waitFor()
}

import type { Page } from 'playwright-core'

/** Types into the editor of site.toml, in place of all that is there. */
export async function typeSettings(page: Page, text: string): Promise<void> {
  const folded = page.locator('details:has(.editor):not([open]) > summary')
  if ((await folded.count()) > 0) await folded.click()
  await page.locator('.settings-text .cm-content').click()
  await page.keyboard.press('Control+a')
  await page.keyboard.insertText(text)
}

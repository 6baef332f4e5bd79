// A folder is dropped on the console, planned and published; settings are edited beside their faults.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { type ASite, aSite, writeSite } from '../harness/a-site.ts'
import { Box } from '../harness/box.ts'
import { ConsoleVisitor } from '../harness/console-visitor.ts'
import { becomesLive } from '../harness/publishing.ts'
import { zipOf } from '../harness/zips.ts'
import { closeContexts, hasChromium, sharedChromium } from './harness/chromium.ts'
import { typeSettings } from './harness/settings-text.ts'

describe.skipIf(!hasChromium)('in the console', () => {
  let browser: Browser
  let box: Box
  let owner: ConsoleVisitor
  const dir = mkdtempSync(join(tmpdir(), 'capture-drop-'))
  const site = aSite({ files: { 'pages/launch.html': '<p>Launch</p>' } })

  beforeAll(async () => {
    box = await Box.start([site], { console: { listen: '127.0.0.1:0' } })
    owner = await ConsoleVisitor.owner(box)
    browser = await sharedChromium()
  })
  afterAll(async () => {
    await closeContexts()
    rmSync(dir, { recursive: true, force: true })
    await box?.stop()
  })

  async function open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
    const url = `http://localhost:${box.consolePort}`
    const [name = '', value = ''] = owner.cookie.split('=')
    const context = await browser.newContext(options)
    await context.addCookies([{ name, value, url }])
    const page = await context.newPage()
    await page.goto(url + path)
    return page
  }

  function folderOf(site: ASite): string {
    const folder = join(dir, site.account)
    rmSync(folder, { recursive: true, force: true })
    writeSite(folder, site)
    writeFileSync(join(folder, '.DS_Store'), 'x')
    return folder
  }

  /** As the system's own file manager drops it. */
  async function drop(page: Page, files: string[]): Promise<void> {
    const { x, y, width, height } = (await page.locator('form[data-drop]').boundingBox()) ?? {
      x: 0,
      y: 0,
      width: 0,
      height: 0,
    }
    const devtools = await page.context().newCDPSession(page)
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
      const data = { items: [], files, dragOperationsMask: 1 }
      await devtools.send('Input.dispatchDragEvent', { type, x: x + width / 2, y: y + height / 2, data })
    }
  }

  const isServed = (path: string, text: string): Promise<void> =>
    becomesLive(box, { method: 'GET', host: 'go.acme.test', path, headers: {}, body: null }, { status: 200, text })

  test('a dropped folder is planned, published and served', async () => {
    const page = await open('/a/acme/publish')
    await drop(page, [folderOf({ ...site, files: { ...site.files, 'pages/spring.html': '<p>Spring</p>' } })])
    await page.locator('h1', { hasText: 'What would change' }).waitFor()
    expect(await page.locator('ul.changes li').allTextContents()).toEqual(['Page spring'])
    await page.click('text=Publish 1 change')
    await page.locator('[role=status]', { hasText: '1 change in' }).waitFor()
    await isServed('/spring', '<p>Spring</p>')
  })

  test('a folder is chosen and published without a script', async () => {
    const page = await open('/a/acme/publish', { javaScriptEnabled: false })
    await page.setInputFiles(
      '#folder',
      folderOf({ ...site, files: { ...site.files, 'pages/chosen.html': '<p>Chosen</p>' } }),
    )
    await page.click('text=Show what would change')
    await page.click('text=Publish 1 change')
    await isServed('/chosen', '<p>Chosen</p>')
  })

  test('a zip makes a new account, whose domains’ DNS records are shown', async () => {
    const zip = join(dir, 'new.zip')
    const siteToml = 'account = "new"\nname = "New"\ndomains = ["www.new.example"]\n'
    writeFileSync(zip, zipOf({ 'site.toml': siteToml, 'pages/a.html': 'a' }))
    const page = await open('/publish')
    await page.locator('#zip.unseen').waitFor({ state: 'attached' })
    expect(await page.locator('form[data-drop] button').isVisible()).toBe(false)
    await page.getByText('Choose a zip of it').click()
    await page.setInputFiles('#zip', zip)
    await page.locator('#zip:not(.unseen)').waitFor()
    await page.click('text=Show what would change')
    await page.locator('h2', { hasText: 'DNS records to set' }).waitFor()
    await page.click('text=Create and publish')
    await page.locator('[role=status]', { hasText: 'Tracking key' }).waitFor()
  })

  test('a fault of the settings is shown at its line, which the editor marks, and what was typed is kept', async () => {
    const page = await open('/a/acme/settings')
    const text = await page.inputValue('#text')
    const line = text.split('\n').findIndex((line) => line.startsWith('name')) + 1
    await typeSettings(page, text.replace(/^name = .*$/m, 'name = 5'))
    await page.click('text=Show what would change')
    await page.locator('.faults .line', { hasText: `Line ${line}` }).waitFor()
    expect(await page.inputValue('#text')).toContain('name = 5')
    expect(await page.locator('.settings-text .faulty').allTextContents()).toEqual(['name = 5'])
    await typeSettings(page, text.replace(/^name = .*$/m, 'name = "Renamed"'))
    await page.click('text=Show what would change')
    await page.locator('.settings-text .changed', { hasText: 'name = "Renamed"' }).waitFor()
    await page.click('text=Save and publish')
    await page.locator('[role=status]', { hasText: 'Saved and published.' }).waitFor()
    expect(await page.inputValue('#text')).toBe(text.replace(/^name = .*$/m, 'name = "Renamed"'))
  })

  test('a faulty last line stands in the middle of the editor, with no button over it', async () => {
    const page = await open('/a/acme/settings', { viewport: { width: 1280, height: 900 } })
    const text = await page.inputValue('#text')
    await typeSettings(page, `${text}\n${'# more\n'.repeat(60)}nonsense = 1\n`)
    await page.click('text=Show what would change')
    const line = page.locator('.settings-text .faulty', { hasText: 'nonsense' })
    await line.waitFor()
    const frame = await page.locator('.settings-text .cm-scroller').boundingBox()
    const { y, height } = (await line.boundingBox()) ?? { y: 0, height: 0 }
    expect(Math.abs(y + height / 2 - ((frame?.y ?? 0) + (frame?.height ?? 0) / 2))).toBeLessThan(40)
    const act = await page.getByRole('button', { name: 'Show what would change' }).boundingBox()
    expect((act?.y ?? 0) + (act?.height ?? 0)).toBeLessThan(frame?.y ?? 0)
  })
})

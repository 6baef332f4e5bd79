// What stands where on a phone: nothing touches, and nothing moves under the finger.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Locator, Page } from 'playwright-core'
import { aSite } from '../harness/a-site.ts'
import { Box } from '../harness/box.ts'
import { ConsoleVisitor } from '../harness/console-visitor.ts'
import { closeContexts, hasChromium, sharedChromium } from './harness/chromium.ts'

describe.skipIf(!hasChromium)('on a phone', () => {
  let browser: Browser
  let box: Box
  let owner: ConsoleVisitor
  beforeAll(async () => {
    const files = { 'pages/page1.html': '<!doctype html><title>Page</title>' }
    box = await Box.start([aSite({ files })], { console: { listen: '127.0.0.1:0' } })
    owner = await ConsoleVisitor.owner(box)
    const invited = await ConsoleVisitor.invite(box, ['ed@acme.example', '--account', 'acme', '--role', 'editor'])
    await new ConsoleVisitor(box).accept(invited)
    browser = await sharedChromium()
  })
  afterAll(async () => {
    await closeContexts()
    await box?.stop()
  })

  async function open(path: string): Promise<Page> {
    const url = `http://localhost:${box.consolePort}`
    const [name = '', value = ''] = owner.cookie.split('=')
    const context = await browser.newContext({ viewport: { width: 390, height: 844 } })
    await context.addCookies([{ name, value, url }])
    const page = await context.newPage()
    await page.goto(url + path)
    return page
  }

  async function edges(of: Locator): Promise<{ left: number; top: number; right: number; bottom: number }> {
    const { x, y, width, height } = (await of.boundingBox()) ?? { x: NaN, y: NaN, width: NaN, height: NaN }
    return { left: x, top: y, right: x + width, bottom: y + height }
  }

  test('the buttons of a page do not touch each other', async () => {
    const page = await open('/a/acme/pages/page1')
    const opening = await edges(page.getByRole('link', { name: 'Open page' }))
    const preview = await edges(page.getByText('Share preview'))
    const gap = Math.max(preview.left - opening.right, preview.top - opening.bottom)
    expect(gap).toBeGreaterThanOrEqual(11)
  })

  test('the menu opens by its icon, and ends the session', async () => {
    const page = await open('/')
    const signOut = page.getByRole('button', { name: 'Sign out' })
    expect(await signOut.count()).toBe(0)
    await page.getByRole('button', { name: 'Menu' }).click()
    expect((await signOut.boundingBox())?.height).toBeGreaterThanOrEqual(44)
    expect(await signOut.getAttribute('form')).toBe(await page.locator('form.out').getAttribute('id'))
  })

  test('what is touched is as high as a finger needs', async () => {
    for (const [path, touched] of [
      ['/', '.board > .place'],
      ['/', '.ways a'],
      ['/a/acme/users', 'td.end summary'],
      ['/a/acme/refusals', '.tabs a'],
      ['/a/acme/users', '.ways .button'],
    ] as const) {
      const page = await open(path)
      const { height = 0 } = (await page.locator(touched).first().boundingBox()) ?? {}
      expect([path, touched, height >= 44]).toEqual([path, touched, true])
    }
  })

  test('what takes an opened act back stands beside its button, and the row stays where it is', async () => {
    const page = await open('/a/acme/users')
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 900 })
      const row = page.locator('tr', { has: page.locator('.ends') }).first()
      const before = await edges(row.locator('td').first())
      await row.locator('.ends').click()
      const button = await edges(row.locator('.danger'))
      const cancel = await edges(row.getByText('Cancel', { exact: true }).last())
      expect([cancel.left >= button.right, cancel.top > button.top, cancel.bottom < button.bottom]).toEqual([
        true,
        true,
        true,
      ])
      expect((await edges(row.locator('td').first())).left).toBe(before.left)
      await row.locator('.ends').click()
      expect(await row.locator('.danger').isVisible()).toBe(false)
    }
  })

  test('the authenticator app opens by its button; another screen shows the picture to scan', async () => {
    const page = await open(new URL(await ConsoleVisitor.invite(box, ['new@acme.example', '--owner'])).pathname)
    const app = page.locator('.app-key a')
    const picture = page.locator('.app-key .qr')
    expect(await picture.isVisible()).toBe(false)
    await page.getByText('Scan it with another device').click()
    expect(await picture.isVisible()).toBe(true)
    expect((await edges(app)).bottom).toBeLessThan((await edges(picture)).top)
    await page.reload()
    await page.setViewportSize({ width: 1280, height: 900 })
    expect((await edges(app)).top).toBeGreaterThan((await edges(picture)).bottom)
    expect(await page.getByText('Scan it with another device').isVisible()).toBe(false)
  })

  test('the details of a line of the audit log have their names and values beside each other', async () => {
    const page = await open('/audit')
    await page.locator('.about summary').first().click()
    const fact = page.locator('.about[open] .facts tr').first()
    const name = await edges(fact.locator('th'))
    const value = await edges(fact.locator('td'))
    expect(value.left).toBeGreaterThanOrEqual(name.right)
  })
})

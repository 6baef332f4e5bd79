import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { Box } from '../harness/box.ts'
import { ConsoleVisitor } from '../harness/console-visitor.ts'
import { closeContexts, hasChromium, sharedChromium } from './harness/chromium.ts'

describe.skipIf(!hasChromium)('a passkey', () => {
  let browser: Browser
  let box: Box

  beforeAll(async () => {
    box = await Box.start([], { console: { listen: '127.0.0.1:0' } })
    browser = await sharedChromium()
  })
  afterAll(async () => {
    await closeContexts()
    await box?.stop()
  })

  /** A page of an owner who has signed in, on a device with an authenticator of its own. */
  async function onDevice(): Promise<{ page: Page; complaints: string[] }> {
    const { cookie } = await ConsoleVisitor.owner(box)
    const [name = '', value = ''] = cookie.split('=')
    const context = await browser.newContext()
    await context.addCookies([{ name, value, url: `http://localhost:${box.consolePort}` }])
    return withAuthenticator(context)
  }

  async function withAuthenticator(context: BrowserContext): Promise<{ page: Page; complaints: string[] }> {
    const page = await context.newPage()
    const devtools = await context.newCDPSession(page)
    await devtools.send('WebAuthn.enable')
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
    const complaints: string[] = []
    page.on('pageerror', (error) => complaints.push(error.message))
    return { page, complaints }
  }

  test('that was added signs in without password and code, where the sign-in was asked for', async () => {
    const { page, complaints } = await onDevice()
    await page.goto(`http://localhost:${box.consolePort}/me`)
    await page.fill('#passkey-name', 'My <phone>')
    await page.click('button[data-passkey=add]')
    await page.waitForSelector('text=My <phone>')
    await page.click('text=Sign out')
    await page.goto(`http://localhost:${box.consolePort}/me`)
    expect(new URL(page.url()).pathname).toBe('/sign-in')
    await page.click('button[data-passkey=sign-in]')
    await page.waitForURL('**/me')
    expect(await page.locator('h1').textContent()).toBe('Your sign-in')
    expect(complaints).toEqual([])
  })

  test('that was removed signs nobody in', async () => {
    const { page } = await onDevice()
    await page.goto(`http://localhost:${box.consolePort}/me`)
    await page.fill('#passkey-name', 'Old phone')
    await page.click('button[data-passkey=add]')
    await page.click('button[name=remove]')
    await page.waitForSelector('text=A passkey signs you in')
    await page.click('text=Sign out')
    await page.click('button[data-passkey=sign-in]')
    await page.waitForSelector('text=That did not work')
    expect(new URL(page.url()).pathname).toBe('/sign-in')
  })

  test('is a proof of who the user is, where one is asked for', async () => {
    const { page } = await onDevice()
    await page.goto(`http://localhost:${box.consolePort}/me`)
    await page.fill('#passkey-name', 'Phone')
    await page.click('button[data-passkey=add]')
    await page.waitForSelector('td:has-text("Phone")')
    await page.goto(`http://localhost:${box.consolePort}/prove?to=/users`)
    await page.click('button[data-passkey=prove]')
    await page.waitForURL('**/users')
  })

  test('made with the invitation is all that a user needs, and a recovery code replaces it once', async () => {
    const { page, complaints } = await withAuthenticator(await browser.newContext())
    const link = new URL(await ConsoleVisitor.invite(box, ['keyed@agency.example', '--owner']))
    await page.goto(`http://localhost:${box.consolePort}${link.pathname}`)
    await page.getByRole('button', { name: 'Create a passkey' }).click()
    const codes = (await page.locator('textarea[readonly]').inputValue()).split('\n')
    expect(codes).toHaveLength(10)
    await page.goto(`http://localhost:${box.consolePort}/me`)
    await page.click('button[name=remove]')
    expect(await page.locator('[role=alert]:focus').textContent()).toContain('You sign in with this passkey alone.')
    await page.click('text=Sign out')
    await page.click('button[data-passkey=sign-in]')
    await page.waitForURL('**/')
    await page.click('text=Sign out')
    const byCode = async () => {
      await page.fill('#email', 'keyed@agency.example')
      await page.fill('#code', codes[3] ?? '')
      await page.getByRole('button', { name: 'Sign in' }).click()
      return page.locator('h1').textContent()
    }
    expect(await byCode()).toBe('Overview')
    await page.click('text=Sign out')
    expect(await byCode()).toBe('Sign in')
    expect(complaints).toEqual([])
  })

  test('is not offered where the console has no name', async () => {
    const { page } = await onDevice()
    const { cookie } = await ConsoleVisitor.owner(box)
    const [name = '', value = ''] = cookie.split('=')
    await page.context().addCookies([{ name, value, url: `http://127.0.0.1:${box.consolePort}` }])
    await page.goto(`http://127.0.0.1:${box.consolePort}/me`)
    expect(await page.locator('button[data-passkey=add]').count()).toBe(0)
    expect(await page.textContent('main')).toContain('Passkeys need a name for the console')
  })
})

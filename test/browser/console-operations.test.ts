// Deliveries, refusals, keys and the overview as an owner works with them, where strangers and receivers send markup.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { aSite } from '../harness/a-site.ts'
import { Box } from '../harness/box.ts'
import { formRequest } from '../harness/capture-requests.ts'
import { ConsoleVisitor } from '../harness/console-visitor.ts'
import { eventually } from '../harness/eventually.ts'
import { Receiver } from '../harness/receiver.ts'
import { closeContexts, hasChromium, sharedChromium } from './harness/chromium.ts'

const hostile = '<img src=x onerror="document.title=\'broken\'"><script>document.title="broken"</script>'

describe.skipIf(!hasChromium)('an owner', () => {
  let browser: Browser
  let box: Box
  let owner: ConsoleVisitor
  let receiver: Receiver
  const complaints: string[] = []

  beforeAll(async () => {
    receiver = new Receiver({ answer: () => new Response(hostile, { status: 500 }) })
    const deliveries = [{ name: 'crm', kind: 'webhook', url: receiver.url() }]
    box = await Box.start([aSite({ deliveries })], {
      console: { listen: '127.0.0.1:0' },
      delivery: { allow_private: ['127.0.0.0/8'] },
    })
    owner = await ConsoleVisitor.owner(box)
    await box.send(formRequest({ fields: { email: 'ada@example.test' } }))
    await box.send(formRequest({ headers: { origin: 'https://new.acme.test' } }))
    await box.send(formRequest({ headers: { origin: `https://${hostile}.example` } }))
    await eventually('the first page knows of the delivery that fails', async () =>
      (await owner.get('/')).text.includes('of The acme studio has failed'),
    )
    await eventually('both refusals are counted', async () =>
      (await owner.get('/a/acme/refusals')).text.includes('onerror'),
    )
    browser = await sharedChromium()
  })
  afterAll(async () => {
    await closeContexts()
    await box?.stop()
    await receiver?.[Symbol.asyncDispose]()
  })

  async function opened(path: string): Promise<Page> {
    const context = await browser.newContext()
    const url = `http://localhost:${box.consolePort}`
    const [name = '', value = ''] = owner.cookie.split('=')
    await context.addCookies([{ name, value, url }])
    const page = await context.newPage()
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text())
    })
    await page.goto(url + path)
    return page
  }

  test('follows what needs attention, reads the exchange and mends it, by keyboard alone', async () => {
    const page = await opened('/')
    await page.locator('.urgent').getByRole('link', { name: 'Deliveries' }).focus()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/a/acme/deliveries')
    await page.getByRole('button', { name: 'Send a test crm' }).focus()
    await page.keyboard.press('Enter')
    await page.locator('.note.bad').waitFor()
    expect(await page.locator('pre.exchange').textContent()).toContain(hostile)
    expect(await page.locator('main img, main script').count()).toBe(0)
    expect(await page.title()).toStartWith('Deliveries')

    receiver.answer = () => new Response('thanks')
    await page.getByRole('button', { name: 'Send another test crm' }).focus()
    await page.keyboard.press('Enter')
    await page.locator('.note.good').waitFor()
    await page.getByRole('button', { name: 'Try again now crm' }).focus()
    await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')])
    await eventually('the lead is delivered', async () => {
      await page.goto(`http://localhost:${box.consolePort}/a/acme/deliveries?state=delivered`)
      return (await page.locator('tbody tr').count()) === 1
    })
    await page.locator('tbody a').first().click()
    expect(await page.locator('.tries a').allTextContents()).toEqual(['Try 2', 'Try 1'])
    await page.getByRole('link', { name: 'Try 1', exact: true }).click()
    expect(await page.locator('pre.exchange:visible').textContent()).toContain(hostile)
    expect(await page.title()).toStartWith('ada@example.test to crm')
    expect(complaints).toEqual([])
  })

  test('allows an origin, beside one that somebody made up, once the plan was seen', async () => {
    const page = await opened('/a/acme/refusals')
    expect(await page.getByText('<img src=x').count()).toBe(1)
    expect(await page.title()).toStartWith('Refusals')
    await page.getByRole('button', { name: 'Allow this site https://new.acme.test' }).click()
    await page.getByRole('button', { name: 'Save and publish' }).click()
    await page.getByText('Saved and published.').waitFor()
    expect(await page.title()).toStartWith('Refusals')
    expect(await page.getByText('The origin is allowed now').count()).toBe(1)
    expect(complaints).toEqual([])
  })

  test('makes a new key and finds it in the tag to paste', async () => {
    const page = await opened('/a/acme/settings')
    await page.getByText('Tracking keys', { exact: true }).click()
    await page.getByRole('button', { name: 'Make a new key' }).click()
    const key = await page.getByLabel('The new tracking key', { exact: true }).inputValue()
    expect(await page.getByLabel('For the head of each page', { exact: true }).inputValue()).toContain(key)
    expect(complaints).toEqual([])
  })

  test('sees the findings about the box come by themselves', async () => {
    const page = await opened('/box')
    await page.getByText('checks passed').waitFor()
    await page.getByText('checks passed').click()
    expect(await page.locator('details table.facts').first().isVisible()).toBe(true)
    expect(complaints).toEqual([])
  })
})

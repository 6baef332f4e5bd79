// The console's pages as their readers meet them, on a phone and on a desk, by day and by night: no fault by axe-core's rules.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { aForm, aSite } from '../harness/a-site.ts'
import { Box } from '../harness/box.ts'
import { formRequest, submissionIdOf } from '../harness/capture-requests.ts'
import { ConsoleVisitor } from '../harness/console-visitor.ts'
import { eventually } from '../harness/eventually.ts'
import { ownPort } from '../harness/loopback.ts'
import { hasChromium, startLocalChromium } from './harness/chromium.ts'
import { faultsInAllLooks, isTooWide } from './harness/looks.ts'
import { typeSettings } from './harness/settings-text.ts'

describe.skipIf(!hasChromium)('a page of the console', () => {
  let browser: Browser
  let box: Box
  let owner: ConsoleVisitor
  /** One for all: a browser reads axe-core anew for each new page. */
  let ownersPage: Page
  let submission: string
  /** With words that cannot be broken between letters of their own accord. */
  let longest: string
  let delivery: string

  beforeAll(async () => {
    const forms = [
      aForm({ name: 'Contact' }),
      aForm({ id: 'contact2', name: 'A form whose name goes on and on and on' }),
    ]
    const deliveries = [
      { name: 'sales', kind: 'mail', to: ['sales@acme.example'] },
      { name: 'crm', kind: 'webhook', url: 'https://127.0.0.1:1025/hook' },
    ]
    const files = {
      'pages/launch.html': '<!doctype html><html lang="en"><title>One</title><main><h1>One</h1></main></html>',
      'pages/a-page-whose-name-goes-on-and-on-and-on.html': '<h1>Two</h1>',
      'assets/css/a-stylesheet-whose-name-goes-on-and-on-and-on/site.css': 'p {}',
    }
    const goals = [{ name: 'A goal whose name goes on and on, as such names do', form: 'contact1' }]
    const funnels = [{ name: 'Contact', steps: [{ page: '/a-page-with-a-long-path' }, { form: 'contact1' }] }]
    box = await Box.start(
      [
        aSite({ brand: { colour: '#ffd400' }, forms, deliveries, files, goals, funnels }),
        aSite({ account: 'a-handle-as-long-as-a-handle-may-ever-be' }),
      ],
      {
        // Pictures of pages are made by browsers, from the preview host.
        server: { listen: `127.0.0.1:${ownPort()}` },
        console: { listen: '127.0.0.1:0' },
        delivery: { allow_private: ['127.0.0.0/8'] },
      },
    )
    owner = await ConsoleVisitor.owner(box)
    for (const name of ['Ada', 'x'.repeat(200), 'مرحبا بالعالم']) {
      const fields = { name, email: 'ada@example.test', message: `${name} wrote something longer than a word or two` }
      submission = submissionIdOf(await box.send(formRequest({ fields })))
    }
    const unbroken = { name: 'x'.repeat(500), ['a_field_that_never_ends_'.repeat(8)]: 'y'.repeat(500) }
    longest = submissionIdOf(await box.send(formRequest({ fields: unbroken })))
    await box.send(formRequest({ fields: { name: 'Robot', email: 'r@example.test', _hp: 'filled' } }))
    // While the box is examined for the first time, its page asks again and again.
    await owner.get('/api/v1/doctor')
    await owner.send('POST', '/a/acme/filters?status=refused', { do: 'keep', name: 'Robots' })
    await owner.send('POST', `/a/acme/s/${submission}`, { do: 'note', text: 'Call them back' })
    delivery = await firstDelivery()
    browser = await startLocalChromium()
    ownersPage = await browserOf(owner)
  })
  afterAll(async () => {
    await browser?.close()
    await box?.stop()
  })

  async function firstDelivery(): Promise<string> {
    const listed = async (): Promise<{ id: string }[]> =>
      JSON.parse((await owner.get('/api/v1/accounts/acme/deliveries?limit=1')).text).items
    await eventually('a delivery', async () => (await listed()).length > 0)
    return (await listed())[0]?.id ?? ''
  }

  /** A browser in the hands of somebody, who is signed in where there is one. */
  async function browserOf(visitor: ConsoleVisitor | null, at = address()): Promise<Page> {
    // The page's policy runs no script, axe-core's neither.
    const context = await browser.newContext({ bypassCSP: true })
    const [name = '', value = ''] = visitor?.cookie.split('=') ?? []
    if (name !== '') await context.addCookies([{ name, value, url: at }])
    return context.newPage()
  }

  const address = ({ consolePort } = box) => `http://127.0.0.1:${consolePort}`
  const open =
    (page: Page, path: string, at = address()) =>
    async () => {
      await page.goto(at + path)
      return page
    }

  test.each<[string, () => string]>([
    ['overview', () => '/'],
    ['health', () => '/box'],
    ['users', () => '/users'],
    ['tokens', () => '/tokens'],
    ['audit', () => '/audit'],
    ['your-sign-in', () => '/me'],
    ['confirm', () => '/prove?to=/me'],
    ['new-password', () => '/me/password'],
    ['new-app', () => '/me/app'],
    ['recovery-codes', () => '/me/recovery-codes'],
    ['inbox', () => '/a/acme'],
    ['quarantine', () => '/a/acme?status=refused'],
    ['empty-search', () => '/a/acme?q=nothing-like-it'],
    ['submission', () => `/a/acme/s/${submission}`],
    ['longest-submission', () => `/a/acme/s/${longest}`],
    ['saved-filter', () => '/a/acme?status=all&state=new'],
    ['persons', () => '/a/acme/persons'],
    ['person', () => `/a/acme/persons/${encodeURIComponent('ada@example.test')}`],
    ['erase', () => `/a/acme/persons/${encodeURIComponent('ada@example.test')}/erase`],
    ['report', () => '/a/acme/report'],
    ['report-of-days', () => '/a/acme/report?from=2026-03-02&to=2026-03-01'],
    ['deliveries', () => '/a/acme/deliveries'],
    ['delivery', () => `/a/acme/deliveries/${delivery}`],
    ['no-deliveries', () => '/a/a-handle-as-long-as-a-handle-may-ever-be/deliveries'],
    ['domains', () => '/a/acme/domains'],
    ['refusals', () => '/a/acme/refusals'],
    ['keys', () => '/a/acme/keys'],
    ['publish', () => '/a/acme/publish'],
    ['publish-new', () => '/publish'],
    ['settings', () => '/a/acme/settings'],
    ['account-guide', () => '/a/a-handle-as-long-as-a-handle-may-ever-be'],
    ['pages', () => '/a/acme/pages'],
    ['page', () => '/a/acme/pages/launch'],
    ['no-pages', () => '/a/a-handle-as-long-as-a-handle-may-ever-be/pages'],
    ['assets', () => '/a/acme/assets'],
    ['forms', () => '/a/acme/forms'],
    ['links', () => '/a/acme/links'],
    ['account', () => '/a/acme/account'],
    ['remove-account', () => '/a/acme/remove'],
    ['not-found', () => '/a/nowhere'],
  ])('%s', async (name, path) => {
    expect(await faultsInAllLooks(`console-${name}`, open(ownersPage, path()))).toEqual([])
  })

  test('a report fits on the narrowest phone', async () => {
    const page = await open(ownersPage, '/a/acme/report')()
    await page.setViewportSize({ width: 320, height: 700 })
    expect(await isTooWide(page)).toBe(false)
  })

  test('overview of an empty box', async () => {
    const empty = await Box.start([], { console: { listen: '127.0.0.1:0' } })
    try {
      const first = await ConsoleVisitor.owner(empty)
      const page = await browserOf(first, address(empty))
      expect(await faultsInAllLooks('console-empty-box', open(page, '/', address(empty)))).toEqual([])
    } finally {
      await empty.stop()
    }
  })

  test('sign-in', async () => {
    const page = await browserOf(null)
    expect(await faultsInAllLooks('console-sign-in', open(page, '/sign-in'))).toEqual([])
  })

  test('sign-in with a wrong code', async () => {
    const page = await browserOf(null)
    const refused = async () => {
      await page.goto(`${address()}/sign-in`)
      await page.fill('#email', 'nobody@agency.example')
      await page.fill('#password', 'a wrong password')
      await page.fill('#code', '123456')
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('alert').waitFor()
      return page
    }
    expect(await faultsInAllLooks('console-sign-in-refused', refused)).toEqual([])
  })

  test.each([
    ['used-invitation', '/invitation/gone'],
    ['no-report', '/r/gone'],
  ])('%s', async (name, path) => {
    const page = await browserOf(null)
    expect(await faultsInAllLooks(`console-${name}`, open(page, path))).toEqual([])
  })

  test('shared-report', async () => {
    const { text } = await owner.sendJson('POST', '/api/v1/accounts/acme/report/share', {})
    const page = await browserOf(null)
    expect(
      await faultsInAllLooks('console-shared-report', open(page, new URL(JSON.parse(text).link).pathname)),
    ).toEqual([])
  })

  test('inbox of a client', async () => {
    const client = new ConsoleVisitor(box)
    const role = ['--account', 'acme', '--role', 'client']
    await client.accept(await ConsoleVisitor.invite(box, ['client@acme.example', ...role]))
    const page = await browserOf(client)
    expect(await faultsInAllLooks('console-client', open(page, '/a/acme'))).toEqual([])
  })

  test('plan and faults of site.toml', async () => {
    for (const [name, more] of [
      ['plan', '\n[[forms]]\nid = "another1"\nname = "Another"\n'],
      ['faults', '\nnonsense = 1\n'],
    ] as const) {
      const planned = async () => {
        await ownersPage.goto(`${address()}/a/acme/settings`)
        await typeSettings(ownersPage, (await ownersPage.inputValue('#text')) + more)
        await ownersPage.getByRole('button', { name: 'Show what would change' }).click()
        await ownersPage.locator('.plan, .faults').first().waitFor()
        return ownersPage
      }
      expect(await faultsInAllLooks(`console-settings-${name}`, planned)).toEqual([])
    }
  })

  test('invitation', async () => {
    const link = await ConsoleVisitor.invite(box, [
      'somebody-with-a-long-address@a-long-name.agency.example',
      '--owner',
    ])
    const page = await browserOf(null)
    expect(await faultsInAllLooks('console-invitation', open(page, new URL(link).pathname))).toEqual([])
  })
})

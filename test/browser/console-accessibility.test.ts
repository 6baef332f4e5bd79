// The console's pages as their readers meet them, on a phone and on a desk, by day and by night: no fault by axe-core's rules.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { pages } from '../../src/console/page/pages.ts'
import { revisionOf } from '../../src/lib/revision.ts'
import { aForm, aSite } from '../harness/a-site.ts'
import { Box } from '../harness/box.ts'
import { formRequest, submissionIdOf } from '../harness/capture-requests.ts'
import { ConsoleVisitor } from '../harness/console-visitor.ts'
import { eventually } from '../harness/eventually.ts'
import { ownPort } from '../harness/loopback.ts'
import { closeContexts, hasChromium, sharedChromium } from './harness/chromium.ts'
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
        aSite({ brand: { colour: '#ffd400' }, language: 'de', forms, deliveries, files, goals, funnels }),
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
    browser = await sharedChromium()
    ownersPage = await browserOf(owner)
  })
  afterAll(async () => {
    await closeContexts()
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

  const ada = encodeURIComponent('ada@example.test')
  const empty = '/a/a-handle-as-long-as-a-handle-may-ever-be'

  /** Each page by its path in the console's own list, and where it is looked at. */
  const looks: Record<string, Record<string, () => string>> = {
    '/': { overview: () => '/' },
    '/box': { health: () => '/box' },
    '/users': { users: () => '/users', 'users-invite': () => '/users?new=1' },
    '/tokens': { tokens: () => '/tokens', 'tokens-make': () => '/tokens?new=1' },
    '/audit': { audit: () => '/audit' },
    '/me': { 'your-sign-in': () => '/me' },
    '/prove': { confirm: () => '/prove?to=/me' },
    '/me/password': { 'new-password': () => '/me/password' },
    '/me/app': { 'new-app': () => '/me/app' },
    '/me/recovery-codes': { 'recovery-codes': () => '/me/recovery-codes' },
    '/a/:account': {
      inbox: () => '/a/acme',
      quarantine: () => '/a/acme?status=refused',
      'empty-search': () => '/a/acme?q=nothing-like-it',
      'saved-filter': () => '/a/acme?status=all&state=new',
      'account-guide': () => empty,
    },
    '/a/:account/leads/remove': { 'remove-leads': () => `/a/acme/leads/remove?id=${submission}` },
    '/a/:account/s/:submission': {
      submission: () => `/a/acme/s/${submission}`,
      'longest-submission': () => `/a/acme/s/${longest}`,
    },
    '/a/:account/s/:submission/erase': { 'erase-sender': () => `/a/acme/s/${submission}/erase` },
    '/a/:account/persons': { persons: () => '/a/acme/persons' },
    '/a/:account/persons/:person': { person: () => `/a/acme/persons/${ada}` },
    '/a/:account/persons/:person/erase': { erase: () => `/a/acme/persons/${ada}/erase` },
    '/a/:account/report': {
      report: () => '/a/acme/report',
      'report-links': () => '/a/acme/report?share',
      'empty-report': () => `${empty}/report`,
      'report-of-days': () => '/a/acme/report?from=2026-03-02&to=2026-03-01',
    },
    '/a/:account/deliveries': {
      deliveries: () => '/a/acme/deliveries',
      'new-delivery': () => '/a/acme/deliveries?new=1',
      'no-deliveries': () => `${empty}/deliveries`,
    },
    '/a/:account/deliveries/:delivery': { delivery: () => `/a/acme/deliveries/${delivery}` },
    '/a/:account/domains': { domains: () => '/a/acme/domains', 'new-domain': () => '/a/acme/domains?new=1' },
    '/a/:account/refusals': { refusals: () => '/a/acme/refusals', 'no-refusals': () => `${empty}/refusals` },
    '/a/:account/pages': { pages: () => '/a/acme/pages', 'no-pages': () => `${empty}/pages` },
    '/a/:account/pages/:slug': { page: () => '/a/acme/pages/launch' },
    '/a/:account/assets': { assets: () => '/a/acme/assets', 'no-assets': () => `${empty}/assets` },
    '/a/:account/forms': { forms: () => '/a/acme/forms', 'no-forms': () => `${empty}/forms` },
    '/a/:account/forms/:form': { form: () => '/a/acme/forms/contact1' },
    '/a/:account/links': { links: () => '/a/acme/links' },
    '/a/:account/settings': {
      settings: () => '/a/acme/settings',
      'settings-at-a-line': () => '/a/acme/settings?line=2#site-toml',
    },
    '/a/:account/users': { 'users-of-account': () => '/a/acme/users' },
    '/a/:account/remove': { 'remove-account': () => '/a/acme/remove' },
    '/a/:account/publish': { publish: () => '/a/acme/publish' },
    '/publish': { 'publish-new': () => '/publish' },
  }

  /** Files, streams, addresses that lead on, and the customers' help, which `console-customer.test.ts` looks at. */
  const notLookedAt = [
    '/help',
    '/a/:account/filters',
    '/a/:account/live',
    '/a/:account/leads.csv',
    '/a/:account/s/:submission/page',
    '/a/:account/s/:submission/files/:file',
    '/a/:account/report/chart/:drawn',
    '/a/:account/account',
    '/a/:account/keys',
  ]

  test('no page of the console is left out here', () => {
    expect([...Object.keys(looks), ...notLookedAt].sort()).toEqual(pages.map(({ path }) => path).sort())
  })

  test.each(Object.values(looks).flatMap((ofPage) => Object.entries(ofPage)))('%s', async (name, path) => {
    expect(await faultsInAllLooks(`console-${name}`, open(ownersPage, path()))).toEqual([])
  })

  test('not-found', async () => {
    expect(await faultsInAllLooks('console-not-found', open(ownersPage, '/a/nowhere'))).toEqual([])
  })

  test('what else can be done with a lead, and the files of a report', async () => {
    const menus = [
      ['lead-more', `/a/acme/s/${submission}`, 'More …'],
      ['report-files', '/a/acme/report', 'Download'],
    ] as const
    for (const [look, path, name] of menus) {
      const opened = async () => {
        const page = await open(ownersPage, path)()
        await page.getByRole('button', { name }).click()
        await page.locator('.acts-menu').waitFor()
        return page
      }
      expect(await faultsInAllLooks(`console-${look}`, opened)).toEqual([])
    }
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

  test('a client’s pages in the account’s language', async () => {
    const client = new ConsoleVisitor(box)
    const role = ['--account', 'acme', '--role', 'client']
    await client.accept(await ConsoleVisitor.invite(box, ['client@acme.example', ...role]))
    const page = await browserOf(client)
    const shown = Object.entries({
      report: '/a/acme/report',
      leads: '/a/acme',
      lead: `/a/acme/s/${longest}`,
      'sign-in': '/me',
    })
    for (const [name, path] of shown) {
      expect(await faultsInAllLooks(`console-client-${name}`, open(page, path))).toEqual([])
      expect(await page.locator('html').getAttribute('lang')).toBe('de')
    }
  })

  test('plan, faults and conflict of site.toml', async () => {
    for (const [name, more] of [
      ['plan', '\n[[forms]]\nid = "another1"\nname = "Another"\n'],
      ['faults', '\nnonsense = 1\n'],
    ] as const) {
      const planned = async () => {
        await ownersPage.goto(`${address()}/a/acme/settings`)
        await typeSettings(ownersPage, (await ownersPage.inputValue('#text')) + more)
        await ownersPage.getByRole('button', { name: 'Show what would change' }).click()
        await ownersPage.locator('.changes, .faults').first().waitFor()
        return ownersPage
      }
      expect(await faultsInAllLooks(`console-settings-${name}`, planned)).toEqual([])
    }
    const changedMeanwhile = async () => {
      await ownersPage.goto(`${address()}/a/acme/settings`)
      const text = await ownersPage.inputValue('#text')
      await typeSettings(ownersPage, `${text}\n[retention]\nevents = "90d"\n`)
      const theirs = text.replace(/^name = .*$/m, 'name = "Renamed meanwhile"')
      const edit = { text: theirs, tag: revisionOf(text), planned: revisionOf(theirs) }
      expect((await owner.send('POST', '/a/acme/settings', edit)).text).toContain('Saved and published.')
      await ownersPage.getByRole('button', { name: 'Show what would change' }).click()
      await ownersPage.getByText('As it is on the box now').waitFor()
      return ownersPage
    }
    expect(await faultsInAllLooks('console-settings-conflict', changedMeanwhile)).toEqual([])
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

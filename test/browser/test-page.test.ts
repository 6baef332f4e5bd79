// docs/previews.md, "The test page", as an agency and its client see it.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { type ASite, aForm, aSite, trackingKeyOf } from '../harness/a-site.ts'
import { eventually } from '../harness/eventually.ts'
import { humanToken, startVerificationServer } from '../harness/verification-server.ts'
import { hasChromium } from './harness/chromium.ts'
import { providerScript, providers } from './harness/provider.ts'
import { testPageRun } from './harness/test-page-run.ts'
import type { Visitor } from './harness/visitor.ts'
import { World } from './harness/world.ts'

const schema = {
  type: 'object',
  required: ['email', 'consent'],
  properties: {
    email: { type: 'string', format: 'email' },
    size: { type: 'string', enum: ['small', 'large'] },
    age: { type: 'integer' },
    message: { type: 'string' },
    consent: { const: 'yes' },
  },
}

const form = aForm({ name: 'Contact', schema, bot_check: 'on' })

const verification = startVerificationServer()

/** Accounts with the preview host on their list, in its own site, and neither; no test changes another's. */
const sites: ASite[] = [
  aSite({
    origins: ['https://preview.test'],
    forms: [form, aForm({ id: 'plainfrm', name: 'Plain', honeypot: false })],
  }),
  aSite({ account: 'bold', forms: [form] }),
  aSite({ account: 'learner', forms: [form] }),
  aSite({ account: 'near', domains: ['go.preview.test'], origins: ['https://preview.test'], forms: [form] }),
  aSite({
    account: 'open',
    origins: ['https://preview.test'],
    tracking: { key: trackingKeyOf('open'), require_opt_in: false },
    forms: [{ ...form, bot_check: 'off', redirect_url: 'https://go.open.test/thanks' }],
  }),
  aSite({
    account: 'quiet',
    origins: ['https://preview.test'],
    tracking: { key: trackingKeyOf('quiet'), enabled: false },
    forms: [],
  }),
  aSite({
    account: 'hosted',
    origins: ['https://preview.test'],
    forms: [form],
    bot_check: { provider: 'turnstile', sitekey: 'site-1', secret: 's', verify_url: verification.url },
  }),
]

describe.skipIf(!hasChromium)('the test page', () => {
  let world: World

  beforeAll(async () => {
    world = await World.start(sites)
  })
  afterAll(async () => {
    await world.stop()
    verification[Symbol.dispose]()
  })

  async function addressOf(account: string, ...options: string[]): Promise<string> {
    const { status, stdout, stderr } = await world.box.run(['preview', account, 'test', ...options])
    if (status !== 0) throw new Error(stderr)
    return stdout.trim()
  }

  async function open(visitor: Visitor, account: string, ...options: string[]): Promise<Page> {
    const page = await visitor.open(await addressOf(account, ...options))
    await testPageRun(page)
    return page
  }

  const tried = async (account: string): Promise<Page> =>
    open(await world.visitor(), account, '--key', trackingKeyOf(account))

  describe('of an account that lists its origin', () => {
    let visitor: Visitor
    let page: Page

    beforeAll(async () => {
      visitor = await world.visitor()
      page = await open(visitor, 'acme', '--key', trackingKeyOf('acme'))
    })
    afterAll(() => world.clear())

    test('finds that everything works', async () => {
      expect(await statesOf(page)).toEqual({
        'The script': 'passed',
        'Its configuration': 'passed',
        'Sending from this page': 'passed',
        'Asking for consent first': 'passed',
        'An event without consent': 'passed',
        'An event with consent': 'passed',
        'A visitor says who they are': 'passed',
        'Knowing a visitor again': 'note',
        'Contact: The form': 'passed',
        'Contact: Its trap for robots': 'passed',
        'Contact: Its bot check': 'passed',
        'Contact: A submission': 'passed',
        'Plain: The form': 'passed',
        'Plain: Its trap for robots': 'note',
        'Plain: Its bot check': 'passed',
        'Plain: A submission': 'passed',
      })
      expect(await page.getByRole('status').first().textContent()).toContain('Everything works')
      expect(visitor.errors).toEqual([])
    })

    test('sends records that are tests, and leaves nothing in the browser', async () => {
      const submissions = await world.box.submissions()
      const events = await world.box.events()
      expect(submissions.length).toBeGreaterThan(0)
      expect(events.map(({ event }) => event)).toContain('$identify')
      expect([...submissions, ...events].filter((record) => !record.test)).toEqual([])
      expect(submissions.find(({ formId }) => formId === 'contact1')?.fields).toEqual({
        email: 'visitor@example.com',
        size: 'small',
        age: '1',
        message: 'Sent by the test page.',
        consent: 'yes',
        _hp: '',
      })
      expect((await visitor.cookies()).filter(({ domain }) => domain === 'preview.test')).toEqual([])
    })

    test('shows each request with its answer', async () => {
      const submission = row(page, 'A submission').first()
      await submission.getByText('Request and answer').click()
      const [request, answer] = await submission.locator('pre').allInnerTexts()
      expect(request).toStartWith('POST https://go.acme.test/_svc/f/contact1\norigin: https://preview.test\n')
      expect(request).toContain('"email": "visitor@example.com"')
      expect(answer).toStartWith('200\n')
      expect(answer).toContain('"status": "accepted"')
    })

    test('says what it costs that the cookie does not come back from another site', async () => {
      const found = await row(page, 'Knowing a visitor again').textContent()
      expect(found).toContain('did not come back')
      expect(found).toContain('every batch looks like a new device')
    })

    test('never sends the tracking key to the preview host', async () => {
      const toPreviewHost = world.front.requests.filter(({ origin }) => origin === 'https://preview.test')
      expect(toPreviewHost.length).toBeGreaterThan(0)
      const said = toPreviewHost.map(({ path, headers, body }) => path + JSON.stringify([...headers]) + body)
      expect(said.filter((text) => text.includes(trackingKeyOf('acme')))).toEqual([])
    })
  })

  // It mostly waits: for what must not happen, and for people.
  describe('beside others', () => {
    afterAll(() => world.clear())

    test.concurrent('sees the cookie come back where both share a registrable domain', async () => {
      const page = await tried('near')
      expect((await statesOf(page))['Knowing a visitor again']).toBe('passed')
      const devices = new Set((await world.box.events('near')).map(({ deviceId }) => deviceId))
      expect(devices.size).toBe(1)
    })

    test.concurrent('shows a refusal as the browser does, and prints the line to add', async () => {
      const page = await tried('bold')
      const refused = row(page, 'Sending from this page')
      expect((await statesOf(page))['Sending from this page']).toBe('note')
      expect(await refused.textContent()).toContain('TypeError: Failed to fetch')
      expect(await refused.locator('.line code').textContent()).toBe('origins = ["https://preview.test"]')
      await refused.getByText('Request and answer').click()
      expect(await refused.locator('pre').last().textContent()).toStartWith('None that the browser shows')
      expect((await statesOf(page))['Contact: A submission']).toBe('skipped')
      expect([await world.box.submissions('bold'), await world.box.events('bold')]).toEqual([[], []])
    })

    test.concurrent('works at once when the line was added, without waiting for the browser’s cache', async () => {
      const page = await tried('learner')
      await world.box.apply(aSite({ account: 'learner', origins: ['https://preview.test'], forms: [form] }))
      const asked = { method: 'GET', host: 'go.learner.test', path: '/_svc/rc', body: null }
      await eventually('it is live', async () => {
        const { text } = await world.box.send({ ...asked, headers: { origin: 'https://preview.test' } })
        return JSON.parse(text).originAuthorised
      })
      await page.getByRole('button', { name: 'Try again' }).click()
      await testPageRun(page)
      expect((await statesOf(page))['Contact: A submission']).toBe('passed')
      expect((await statesOf(page))['An event with consent']).toBe('passed')
    })

    test.concurrent('tries events when it is given the tracking key, and says so before', async () => {
      const page = await open(await world.visitor(), 'acme')
      expect((await statesOf(page))['Asking for consent first']).toBe('asks')
      await page.getByLabel('Tracking key').fill('not a key')
      await page.getByRole('button', { name: 'Try events' }).click()
      await page.getByRole('alert').getByText('A tracking key is').waitFor()
      await page.getByLabel('Tracking key').fill(trackingKeyOf('acme'))
      await page.getByRole('button', { name: 'Try events' }).click()
      await testPageRun(page)
      expect((await statesOf(page))['An event with consent']).toBe('passed')
    })

    test.concurrent('says what it cannot see where visitors are not asked first, and stays where it is', async () => {
      const page = await tried('open')
      const states = await statesOf(page)
      expect(states['Asking for consent first']).toBe('note')
      expect(states['Knowing a visitor again']).toBe('note')
      expect(await row(page, 'A submission').textContent()).toContain('sent on to https://go.open.test/thanks')
      expect(world.front.seen('GET', '/thanks')).toEqual([])
    })

    test.concurrent('says that tracking is off', async () => {
      const page = await tried('quiet')
      expect(await row(page, 'Asking for consent first').textContent()).toContain('Tracking is switched off')
    })

    test.concurrent('lets a person solve a hosted bot check, and goes on by itself', async () => {
      for (const provider of providers) world.front.put(provider.script, providerScript(provider, [humanToken]))
      const page = await tried('hosted')
      expect(await page.getByRole('status').first().textContent()).toContain('Your turn')
      expect((await statesOf(page))['Contact: Its bot check']).toBe('asks')
      const shown = page.frameLocator('iframe[title="The form “Contact” on go.hosted.test"]')
      await shown.getByRole('button', { name: 'Solve site-1' }).click()
      await page.getByText('Solved in the browser, and the proof was verified.').waitFor()
      expect((await statesOf(page))['Contact: A submission']).toBe('passed')
      expect(await page.getByRole('status').first().textContent()).toContain('Everything works')
    })
  })

  test('says that its address has expired while it was open', async () => {
    const page = await open(await world.visitor(), 'acme')
    await world.box.run(['secret', 'rotate', 'preview'])
    const { pathname, search } = new URL(page.url())
    const asked = { method: 'GET', host: 'preview.test', path: pathname + search, headers: {}, body: null }
    await eventually('it has ended', async () => (await world.box.send(asked)).status === 403)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('status').getByText('has expired').waitFor()
  })
})

/** The place of a check on the page. */
const row = (page: Page, title: string) =>
  page.locator('.check').filter({ has: page.getByRole('heading', { name: title, exact: true }) })

/** How each check went, by its title; a form's begins with the form's name. */
const statesOf = (page: Page): Promise<Record<string, string | undefined>> =>
  page.evaluate(() =>
    Object.fromEntries(
      [...document.querySelectorAll<HTMLElement>('.check')].map((check) => {
        const form = check.closest('.form')?.querySelector('h3')?.dataset.name
        const title = check.querySelector('h4')?.textContent
        return [form === undefined ? title : `${form}: ${title}`, check.dataset.state]
      }),
    ),
  )

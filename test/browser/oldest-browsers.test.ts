// docs/script.md: browsers from Safari 14, Chrome 87 and Firefox 78 on, by what they lack; for their syntax see
// test/client/bundle.test.ts.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { aForm, aSite, trackingKeyOf } from '../harness/a-site.ts'
import { eventually } from '../harness/eventually.ts'
import { hasChromium } from './harness/chromium.ts'
import { takeAwayNewFunctions } from './harness/oldest-browsers.ts'
import { formMarkup, pageWith } from './harness/pages.ts'
import type { Visitor } from './harness/visitor.ts'
import { World } from './harness/world.ts'

const contact = 'https://www.acme.test/contact'

describe.skipIf(!hasChromium)('the oldest browsers', () => {
  let world: World
  let visitor: Visitor

  beforeAll(async () => {
    const schema = { type: 'object', required: ['email'], properties: { email: { type: 'string', format: 'email' } } }
    const forms = [aForm({ schema }), aForm({ id: 'checked1', bot_check: 'on' })]
    const tracking = { key: trackingKeyOf('acme'), auto_pageview: true, require_opt_in: false }
    world = await World.start([aSite({ forms, tracking })])
  })
  afterEach(() => world.clear())
  afterAll(() => world.stop())

  async function openWith(body: string): Promise<Page> {
    world.front.put(contact, pageWith({ body }))
    visitor = await world.visitor()
    await visitor.context.addInitScript(takeAwayNewFunctions)
    const page = await visitor.open(contact)
    expect(await page.evaluate(() => 'timeout' in AbortSignal || 'ariaBusy' in Element.prototype)).toBe(false)
    return page
  }

  const fieldsSent = () => world.front.seen('POST', '/_svc/f/').map(({ body }) => JSON.parse(body))

  test('send a form once, with its button', async () => {
    const page = await openWith(formMarkup({ fields: '<button name="plan" value="pro">Pro</button>' }))
    await page.locator('[name=_hp]').waitFor({ state: 'attached' })
    await page.getByLabel('Email').fill('ada@example.test')
    await page.getByRole('button', { name: 'Pro' }).dblclick()
    await thanks(page)
    expect(fieldsSent()).toEqual([{ email: 'ada@example.test', message: '', _hp: '', plan: 'pro' }])
    expect(visitor.errors).toEqual([])
  })

  test('send a form in a shadow root, by Enter', async () => {
    const page = await openWith('<div id="host"></div>')
    await page.evaluate((markup) => {
      const root = document.querySelector('#host')?.attachShadow({ mode: 'open' })
      if (root) root.innerHTML = markup
    }, formMarkup())
    await page.getByLabel('Email').fill('ada@example.test')
    await page.getByLabel('Email').press('Enter')
    await thanks(page)
    expect(visitor.errors).toEqual([])
  })

  test('are told of a refusal', async () => {
    const page = await openWith(formMarkup())
    world.front.disturbance = ({ method }) => (method === 'POST' ? new Response(null, { status: 503 }) : null)
    await page.getByLabel('Email').fill('ada@example.test')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('alert').getByText('Sorry').waitFor()
  })

  test('solve the bot check', async () => {
    const page = await openWith(formMarkup({ id: 'checked1' }))
    await page.getByLabel('Email').fill('ada@example.test')
    await page.getByRole('button', { name: 'Send' }).click()
    await thanks(page)
    expect((await world.box.submissions()).at(-1)?.botCheck).toMatchObject({ verified: true })
    expect(visitor.errors).toEqual([])
  })

  test('record page views and events', async () => {
    const page = await openWith('')
    await page.evaluate(() => svc('track', 'plan_chosen'))
    const namesSent = () =>
      world.front
        .seen('POST', '/_svc/e')
        .filter(({ status }) => status === 202)
        .flatMap(({ body }) => JSON.parse(body).events.map(({ event }: { event: string }) => event))
    await eventually('both are stored', async () => namesSent().length === 2)
    expect(namesSent().sort()).toEqual(['$pageview', 'plan_chosen'])
    expect(visitor.errors).toEqual([])
  })
})

const thanks = (page: Page): Promise<void> => page.getByRole('status').getByText('Thank you').waitFor()

declare const svc: (...command: unknown[]) => void

// docs/script.md, "Forms": a form's fields may have any name, even one that hides a property of the form itself.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { aForm, aSite, trackingKeyOf } from '../harness/a-site.ts'
import { eventually } from '../harness/eventually.ts'
import { hasChromium } from './harness/chromium.ts'
import { hide } from './harness/hide.ts'
import { formMarkup, pageWith } from './harness/pages.ts'
import { World } from './harness/world.ts'

const contact = 'https://www.acme.test/contact'

describe.skipIf(!hasChromium)('a form with a field for every property that a form has', () => {
  let world: World

  beforeAll(async () => {
    const schema = { type: 'object', required: ['email'], properties: { email: { type: 'string', format: 'email' } } }
    const forms = [aForm({ schema }), aForm({ id: 'checked1', bot_check: 'on' })]
    const tracking = { key: trackingKeyOf('acme'), auto_pageview: false, require_opt_in: false }
    world = await World.start([aSite({ forms, tracking, payload_limit: 16_384 })])
  })
  afterEach(() => world.clear())
  afterAll(() => world.stop())

  const sent = () => world.front.seen('POST', '/_svc/f/')

  async function openWith(form: string): Promise<Page> {
    world.front.put(contact, pageWith({ body: `${form}<script>(${addEveryField})()</script>` }))
    const page = await (await world.visitor()).open(contact)
    await page.locator('[name=_hp]').waitFor({ state: 'attached' })
    return page
  }

  test('is declared, checked, sent, answered and emptied like any other', async () => {
    const page = await openWith(formMarkup({ attributes: 'data-svc-message-accepted="Thanks!"' }))
    const names = await page.evaluate(() =>
      [...document.querySelectorAll('[type=hidden]')].map((field) => field.getAttribute('name') as string),
    )
    expect(names).toContain('dataset')
    await send(page)
    expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('email')
    await write(page, 'ada@example.test')
    await send(page)
    await page.waitForFunction(() => document.querySelector('.svc-message')?.textContent === 'Thanks!')
    const fields = JSON.parse(sent()[0]?.body ?? '')
    expect(Object.keys(fields).sort()).toEqual([...names, 'email', 'message', '_hp'].sort())
    expect(await page.evaluate(() => document.querySelector<HTMLInputElement>('[name=email]')?.value)).toBe('')
    expect(world.front.seen('POST', '/contact')).toEqual([])
  })

  test('that is sent by the command is refused where the visitor sees it, and says so to the page', async () => {
    const page = await openWith(formMarkup())
    world.front.disturbance = ({ method }) => (method === 'POST' ? new Response(null, { status: 503 }) : null)
    const refused = page.evaluate(
      () =>
        new Promise((resolve) => addEventListener('svc:refused', (event) => resolve((event as CustomEvent).detail))),
    )
    await write(page, 'ada@example.test')
    await page.evaluate(() => svc('submit', document.querySelector('form')))
    expect(await refused).toMatchObject({ code: 'unavailable' })
    await page.waitForFunction(() => document.querySelector('.svc-message')?.textContent?.startsWith('Sorry'))
  })

  test('solves its bot check', async () => {
    const page = await openWith(formMarkup({ id: 'checked1' }))
    await write(page, 'ada@example.test')
    await send(page)
    await eventually('it arrives', async () => sent().some(({ status }) => status === 200))
  })

  test('sends the event that it declares', async () => {
    const page = await openWith(formMarkup({ attributes: 'data-svc-event="asked" data-svc-event-where="top"' }))
    await write(page, 'ada@example.test')
    await send(page)
    await eventually('it arrives', async () => sent().some(({ status }) => status === 200))
    await hide(page)
    const events = () => world.front.seen('POST', '/_svc/e').flatMap(({ body }) => JSON.parse(body).events)
    await eventually('the event', async () => events().some(({ event }) => event === 'asked'))
    expect(events()).toMatchObject([{ event: 'asked', properties: { where: 'top' } }])
  })
})

/** Runs in the page: gives its form a hidden field for each name that a form inherits. */
function addEveryField(): void {
  const names = new Set<string>()
  for (let part = HTMLFormElement.prototype; part; part = Object.getPrototypeOf(part)) {
    for (const name of Object.getOwnPropertyNames(part)) names.add(name)
  }
  const fields = [...names].map((name) => Object.assign(document.createElement('input'), { type: 'hidden', name }))
  document.querySelector('form')?.append(...fields)
}

/** Playwright itself does not find its way around such a form. */
const write = (page: Page, email: string): Promise<unknown> =>
  page.evaluate((value) => Object.assign(document.querySelector('[name=email]') as HTMLElement, { value }), email)

const send = (page: Page): Promise<void> =>
  page.evaluate(() => document.querySelector<HTMLElement>('button[type=submit]')?.click())

declare const svc: (...command: unknown[]) => void

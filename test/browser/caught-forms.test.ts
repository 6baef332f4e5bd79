// docs/script.md, "Forms": every submit is caught, whatever the page does with it and whenever the script arrives.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { aForm, aSite } from '../harness/a-site.ts'
import { eventually } from '../harness/eventually.ts'
import { hasChromium } from './harness/chromium.ts'
import type { Seen } from './harness/front.ts'
import { formMarkup, pageWith } from './harness/pages.ts'
import { settled } from './harness/settled.ts'
import { World } from './harness/world.ts'

const website = 'https://www.acme.test'
const contact = `${website}/contact`

describe.skipIf(!hasChromium)('a submit', () => {
  let world: World

  beforeAll(async () => {
    world = await World.start([aSite({ forms: [aForm(), aForm({ id: 'newslttr' })] })])
  })
  afterEach(() => world.clear())
  afterAll(() => world.stop())

  const sent = () => world.front.seen('POST', '/_svc/f/')
  const postedToThePage = () => world.front.seen('POST', '/contact')
  const emailsSent = () => sent().map(({ body }) => JSON.parse(body).email)
  const isForFormsFile = ({ path }: Seen) => path.startsWith('/_svc/f.js')

  async function openWith(body: string, visitor = world.regular()): Promise<Page> {
    world.front.put(contact, pageWith({ body }))
    const page = await (await visitor).visit(contact)
    await page.waitForFunction(() => svc?.o)
    return page
  }

  test.each(['stopPropagation', 'stopImmediatePropagation'] as const)(
    'that the page hides with %s is sent all the same',
    async (stop) => {
      const page = await openWith(formMarkup())
      await page.evaluate((stop) => {
        document.querySelector('form')?.addEventListener('submit', (event) => event[stop]())
      }, stop)
      await fillAndSend(page)
      await thanks(page)
      expect(emailsSent()).toEqual(['ada@example.test'])
      expect(postedToThePage()).toEqual([])
    },
  )

  test.each(['preventDefault(); event.stopPropagation()', 'stopPropagation(); event.preventDefault()'])(
    'that the page takes for itself with event.%s is left to the page',
    async (calls) => {
      const page = await openWith(formMarkup())
      await page.evaluate((calls) => {
        const listener = new Function('event', `event.${calls}`) as (event: Event) => void
        document.querySelector('form')?.addEventListener('submit', listener)
      }, calls)
      await fillAndSend(page)
      await settled(page)
      expect([...sent(), ...postedToThePage()]).toEqual([])
    },
  )

  test('carries what the page’s own listener wrote into the form', async () => {
    const page = await openWith(formMarkup({ fields: '<input type="hidden" name="plan">' }))
    await page.evaluate(() => {
      const plan = document.querySelector<HTMLInputElement>('[name=plan]')
      document.addEventListener('submit', () => Object.assign(plan as object, { value: 'pro' }))
    })
    await fillAndSend(page)
    await thanks(page)
    expect(JSON.parse(sent()[0]?.body ?? '').plan).toBe('pro')
  })

  test('looks to the page’s own listeners as if nobody had touched it', async () => {
    const page = await openWith(formMarkup())
    await page.evaluate(() => {
      document.addEventListener('submit', (event) =>
        Object.assign(window, { seen: [event.defaultPrevented, event.cancelable] }),
      )
    })
    await fillAndSend(page)
    await thanks(page)
    expect(await page.evaluate(() => (window as unknown as { seen: unknown }).seen)).toEqual([false, true])
  })

  test.each(['click', 'Enter', 'requestSubmit()'])('inside an open shadow root is sent (%s)', async (how) => {
    const page = await openWith('<div id="host"></div>')
    await page.evaluate((markup) => {
      const root = document.querySelector('#host')?.attachShadow({ mode: 'open' })
      if (root)
        root.innerHTML = `${markup}<span role="button" onclick="this.getRootNode().querySelector('form').requestSubmit()">Ours</span>`
    }, formMarkup())
    await page.getByLabel('Email').fill('ada@example.test')
    if (how === 'click') await page.getByRole('button', { name: 'Send' }).click()
    else if (how === 'Enter') await page.getByLabel('Email').press('Enter')
    else await page.getByRole('button', { name: 'Ours' }).click()
    await thanks(page)
    expect(emailsSent()).toEqual(['ada@example.test'])
    expect(postedToThePage()).toEqual([])
  })

  test('inside an open shadow root that nobody had reached into is sent', async () => {
    const page = await openWith('<div id="host"></div>')
    await page.evaluate((markup) => {
      const root = document.querySelector('#host')?.attachShadow({ mode: 'open' })
      if (root) root.innerHTML = markup
    }, formMarkup())
    await page.getByRole('button', { name: 'Send' }).click()
    await thanks(page)
    expect(postedToThePage()).toEqual([])
  })

  test('carries its button’s name and value', async () => {
    const fields = '<button name="plan" value="pro">Pro</button>'
    const page = await openWith(formMarkup({ fields }))
    await page.getByRole('button', { name: 'Pro' }).click()
    await thanks(page)
    expect(JSON.parse(sent()[0]?.body ?? '').plan).toBe('pro')
  })

  test('by a button outside of the form is sent, button and all', async () => {
    const page = await openWith(
      `${formMarkup({ attributes: 'id="f"' })}<button form="f" name="from" value="top">Outside</button>`,
    )
    await page.getByRole('button', { name: 'Outside' }).click()
    await thanks(page)
    expect(JSON.parse(sent()[0]?.body ?? '').from).toBe('top')
  })

  test('that only closes a dialog is left to the dialog', async () => {
    const fields = '<button formmethod="dialog" value="cancel">Cancel</button>'
    const page = await openWith(`<dialog>${formMarkup({ fields })}</dialog>`)
    await page.evaluate(() => document.querySelector('dialog')?.showModal())
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.locator('dialog').waitFor({ state: 'hidden' })
    await settled(page)
    expect(sent()).toEqual([])
  })

  test('of a form that would close its dialog is sent, and the dialog stays to say so', async () => {
    const page = await openWith(`<dialog>${formMarkup().replace('method="post"', 'method="dialog"')}</dialog>`)
    await page.evaluate(() => document.querySelector('dialog')?.showModal())
    await fillAndSend(page)
    await page.locator('dialog').getByRole('status').getByText('Thank you').waitFor()
    expect(emailsSent()).toEqual(['ada@example.test'])
  })

  test('leaves out what a disabled fieldset holds, as browsers do', async () => {
    const fields = '<fieldset disabled><input name="step2" value="later"></fieldset>'
    const page = await openWith(formMarkup({ fields }))
    await fillAndSend(page)
    await thanks(page)
    expect(JSON.parse(sent()[0]?.body ?? '')).not.toHaveProperty('step2')
  })

  test('before the rest of the script has arrived is held, and then sent once', async () => {
    const { promise: opened, resolve: open } = Promise.withResolvers<void>()
    world.front.disturbance = async (seen) => (isForFormsFile(seen) ? opened.then(() => null) : null)
    const page = await openWith(formMarkup(), world.visitor())
    await fillAndSend(page)
    await page.getByRole('button', { name: 'Send' }).click()
    await settled(page)
    open()
    await thanks(page)
    expect(emailsSent()).toEqual(['ada@example.test'])
    expect(postedToThePage()).toEqual([])
  })

  test('whose rest of the script cannot be had says so, keeps what was typed, and is sent on the next try', async () => {
    world.front.disturbance = (seen) => (isForFormsFile(seen) ? new Response(null, { status: 503 }) : null)
    const page = await openWith(formMarkup({ attributes: 'data-svc-message-unavailable="Not now"' }), world.visitor())
    await hearRefusals(page)
    await fillAndSend(page)
    await page.getByRole('alert').getByText('Not now').waitFor()
    expect(await page.getByLabel('Email').inputValue()).toBe('ada@example.test')
    expect(await heard(page)).toEqual([{ code: 'unavailable', message: 'no answer', status: 0 }])
    world.front.disturbance = () => null
    await page.getByRole('button', { name: 'Send' }).click()
    await thanks(page)
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  test('whose rest of the script never comes says so after a while', async () => {
    world.front.disturbance = async (seen) => (isForFormsFile(seen) ? new Promise(() => {}) : null)
    world.front.put(contact, pageWith({ body: formMarkup() }))
    const visitor = await world.visitor()
    await visitor.context.clock.install()
    const page = await visitor.open(contact)
    await page.waitForFunction(() => svc?.o)
    await fillAndSend(page)
    await eventually('the visitor is told', async () => {
      await page.clock.fastForward(16_000)
      return (await page.getByRole('alert').getByText('Sorry').count()) === 1
    })
    expect(visitor.errors).toEqual([])
  })

  test('before any of the script has arrived is held by the lines of the documentation, button and all', async () => {
    const documentation = await Bun.file(join(import.meta.dir, '../../docs/script.md')).text()
    const at = documentation.indexOf("addEventListener('submit'")
    const lines = documentation.slice(documentation.lastIndexOf('<script>', at)).split('```')[0] ?? ''
    const { promise: opened, resolve: open } = Promise.withResolvers<void>()
    world.front.disturbance = async ({ path }) => (path.startsWith('/_svc/v1.js') ? opened.then(() => null) : null)
    const fields = '<button name="plan" value="pro">Pro</button>'
    world.front.put(contact, pageWith({ head: lines, body: formMarkup({ fields }) }))
    const page = await (await world.visitor()).context.newPage()
    await page.goto(contact, { waitUntil: 'commit' })
    await page.getByLabel('Email').fill('ada@example.test')
    await page.getByRole('button', { name: 'Pro' }).click()
    expect(await page.evaluate(() => typeof svc)).toBe('function')
    open()
    await thanks(page)
    expect(sent().map(({ body }) => JSON.parse(body))).toMatchObject([{ email: 'ada@example.test', plan: 'pro' }])
    expect(postedToThePage()).toEqual([])
    await page.getByRole('button', { name: 'Send' }).click()
    await settled(page)
    expect(postedToThePage()).toEqual([])
  })

  test('by a command without a form of ours says on the console what is missing, and posts nothing', async () => {
    world.front.put(contact, pageWith({ body: '<form id="theirs"></form>' }))
    const visitor = await world.visitor()
    const page = await visitor.open(contact)
    await page.waitForFunction(() => svc?.o)
    for (const selector of ['#theirs', 'body', '#none']) {
      await page.evaluate((selector) => svc('submit', document.querySelector(selector)), selector)
    }
    await settled(page)
    expect(sent()).toEqual([])
    expect(visitor.notices).toEqual(["warning: [svc] svc('submit', form) needs a form with data-svc-form"])
  })
})

async function fillAndSend(page: Page): Promise<void> {
  await page.getByLabel('Email').fill('ada@example.test')
  await page.getByRole('button', { name: 'Send' }).click()
}

const thanks = (page: Page): Promise<void> => page.getByRole('status').getByText('Thank you').waitFor()

const hearRefusals = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const refusals: unknown[] = []
    Object.assign(window, { refusals })
    addEventListener('svc:refused', (event) => refusals.push((event as CustomEvent).detail))
  })

const heard = (page: Page): Promise<unknown> =>
  page.evaluate(() => (window as unknown as { refusals: unknown }).refusals)

declare const svc: { (...command: unknown[]): void; o?: string[] }

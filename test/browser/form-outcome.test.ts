// docs/script.md, "Forms": the visitor always sees exactly one outcome, and what is sent is what stands in the form.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { aForm, aSite } from '../harness/a-site.ts'
import { hasChromium } from './harness/chromium.ts'
import { formMarkup, pageWith } from './harness/pages.ts'
import { settled } from './harness/settled.ts'
import type { Visitor } from './harness/visitor.ts'
import { World } from './harness/world.ts'

const website = 'https://www.acme.test'
const contact = `${website}/contact`
const done = '<p id="done">Done!</p>'
const withDone = formMarkup({ attributes: 'data-svc-success="#done"' })

describe.skipIf(!hasChromium)('the visitor of a form', () => {
  let world: World
  let visitor: Visitor

  beforeAll(async () => {
    const forms = [aForm(), aForm({ id: 'checked1', bot_check: 'on' })]
    world = await World.start([aSite({ forms, payload_limit: 2_048 })])
  })
  afterEach(() => world.clear())
  afterAll(() => world.stop())

  const sent = () => world.front.seen('POST', '/_svc/f/')
  const fieldsSent = () => sent().map(({ body }) => JSON.parse(body))

  async function openWith(body: string, head = ''): Promise<Page> {
    world.front.put(contact, pageWith({ head, body }))
    visitor = await world.regular()
    const page = await visitor.visit(contact)
    await page.locator('[name=_hp]').first().waitFor({ state: 'attached' })
    return page
  }

  test.each([
    ['display', '#done { display: none }'],
    ['an important display', '#done { display: none !important }'],
    ['visibility', '#done { visibility: hidden }'],
    ['opacity', '#done { opacity: 0 }'],
  ])('sees a thank-you that the page hides by %s, and has the focus there', async (_, css) => {
    const page = await openWith(withDone + done, `<style>${css}</style>`)
    await fillAndSend(page)
    await page.waitForFunction(() => document.activeElement?.id === 'done')
    expect(await page.getByText('Done!').isVisible()).toBe(true)
    expect(await page.getByText('Done!').evaluate((place) => getComputedStyle(place).opacity)).toBe('1')
    expect(await outcomes(page)).toEqual([])
  })

  test.each([
    ['does not parse', withDone.replace('#done', '#done['), ''],
    ['finds nothing', withDone, ''],
    ['lies in what is hidden', withDone, `<div style="display: none">${done}</div>`],
    ['has no size', withDone, '<p id="done"></p>'],
  ])('is thanked by a message where the page’s own thank-you %s, and the console says so', async (_, form, rest) => {
    const page = await openWith(form + rest)
    await fillAndSend(page)
    await thanks(page)
    expect(await outcomes(page)).toEqual(['status'])
    expect(visitor.notices.join()).toContain('data-svc-success shows nothing: #done')
    expect(visitor.errors).toEqual([])
  })

  test('is thanked in a modal dialog, not behind it', async () => {
    const page = await openWith(`<dialog>${withDone}</dialog>${done}`)
    await page.evaluate(() => document.querySelector('dialog')?.showModal())
    await fillAndSend(page)
    await page.locator('dialog').getByRole('status').getByText('Thank you').waitFor()
  })

  test('hears no refusal any more when the form is accepted, and no thanks when the next one is refused', async () => {
    const page = await openWith(`${withDone}<p id="done" hidden>Done!</p>`)
    refuse(true)
    await fillAndSend(page)
    await page.getByRole('alert').getByText('Sorry').waitFor()
    refuse(false)
    await fillAndSend(page)
    await page.getByText('Done!').waitFor()
    expect(await outcomes(page)).toEqual([])
    refuse(true)
    await page.waitForFunction(() => document.querySelector('form')?.getAttribute('aria-busy') === null)
    await fillUntilRefused(page)
    expect(await page.getByText('Done!').isVisible()).toBe(false)
    expect(await outcomes(page)).toEqual(['alert'])
  })

  test('sends what they corrected while the bot check was under way', async () => {
    const { promise: opened, resolve: open } = Promise.withResolvers<void>()
    const { promise: asked, resolve: ask } = Promise.withResolvers<void>()
    world.front.disturbance = async ({ path }) => {
      if (path !== '/_svc/b') return null
      ask()
      return opened.then(() => null)
    }
    const fields = `<label><input type="checkbox" name="news" checked> News</label>
      <label>Plan <select name="plan"><option>free</option><option>pro</option></select></label>`
    const page = await openWith(formMarkup({ id: 'checked1', fields }))
    await page.getByLabel('Message').fill('as it was')
    await fillAndSend(page, 'ada@wrong.test')
    await asked
    await page.getByLabel('Email').fill('ada@example.test')
    await page.getByLabel('News').uncheck()
    await page.getByLabel('Plan').selectOption('pro')
    open()
    await thanks(page)
    const [first] = fieldsSent()
    expect({ ...first, 'botcheck-response': '' }).toEqual({
      ...{ email: 'ada@example.test', message: 'as it was', plan: 'pro', _hp: '', 'botcheck-response': '' },
    })
  })

  test.each(['accepted', 'refused'])(
    'can change nothing while the form is being sent, and everything once it is %s',
    async (outcome) => {
      const { promise: opened, resolve: open } = Promise.withResolvers<void>()
      world.front.disturbance = async ({ method }) => {
        if (method !== 'POST') return null
        await opened
        return outcome === 'refused' ? unavailable() : null
      }
      const fields = `<label><input type="checkbox" name="news"> News</label>
      <label>Plan <select name="plan"><option>free</option><option>pro</option></select></label>
      <label>Fixed <input name="fixed" readonly></label><label>Off <select name="off" disabled></select></label>`
      const page = await openWith(formMarkup({ fields }))
      await page.getByLabel('Email').fill('ada@example.test')
      await page.getByLabel('Message').fill('as it was')
      await page.getByLabel('Message').focus()
      const before = await locked(page)
      await page.evaluate(() => document.querySelector('form')?.requestSubmit())
      await page.waitForFunction(() => document.querySelector('textarea')?.readOnly)
      await page.keyboard.type(' and more')
      expect(await locked(page)).toEqual(['email', 'message', 'news', 'plan', 'fixed', 'off', '_hp'])
      expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('message')
      await page.getByLabel('News').click({ force: true })
      expect(await page.getByLabel('Message').inputValue()).toBe('as it was')
      expect(await page.getByLabel('News').isChecked()).toBe(false)
      open()
      await page.locator('.svc-message').waitFor()
      expect(await locked(page)).toEqual(before)
      expect(before).toEqual(['fixed', 'off'])
      expect(fieldsSent()).toHaveLength(1)
    },
  )

  test('reads that a text is too long for this account, and how much fits; shortened so, it is sent', async () => {
    const page = await openWith(formMarkup())
    await hearRefusals(page)
    await page.getByLabel('Message').fill('ü'.repeat(1_500))
    await fillAndSend(page)
    const alert = page.getByRole('alert').getByText('1500 characters')
    await alert.waitFor()
    const max = Number(/about (\d+) fit/.exec((await alert.textContent()) ?? '')?.[1])
    expect(max).toBeGreaterThan(950)
    expect(await heard(page)).toEqual([
      { code: 'too_long', message: 'larger than 2048 bytes', length: 1_500, max, status: 0 },
    ])
    await page.getByLabel('Message').fill('ü'.repeat(max + 30))
    await page.getByRole('button', { name: 'Send' }).click()
    await page
      .getByRole('alert')
      .getByText(`${max + 30} characters`)
      .waitFor()
    // What the box said once is known before the next try.
    expect(sent()).toHaveLength(1)
    await page.getByLabel('Message').fill('ü'.repeat(max))
    await page.getByRole('button', { name: 'Send' }).click()
    await thanks(page)
    expect(await outcomes(page)).toEqual(['status'])
  })

  test('reads in the page’s words that a text is too long, before it is sent, however long it is', async () => {
    const page = await openWith(formMarkup({ attributes: 'data-svc-message-too_long="{length} von {max}"' }))
    await page.getByLabel('Message').fill('x'.repeat(200_000))
    await fillAndSend(page)
    await page
      .getByRole('alert')
      .getByText(/^200000 von 16[23]\d\d$/)
      .waitFor()
    expect(sent()).toEqual([])
  })

  test('with a chosen file hears that it cannot be sent, and sends the rest by sending again', async () => {
    const page = await openWith(formMarkup({ fields: '<input type="file" name="photo">' }))
    await hearRefusals(page)
    await page.locator('[type=file]').setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('a') })
    await fillAndSend(page)
    await page.getByRole('alert').getByText('this form takes no files').waitFor()
    expect(sent()).toEqual([])
    expect(await heard(page)).toEqual([{ code: 'files', message: 'Files are not sent: photo', status: 0 }])
    await page.getByRole('button', { name: 'Send' }).click()
    await thanks(page)
    expect(fieldsSent()).toEqual([{ email: 'ada@example.test', message: '', _hp: '' }])
    expect(visitor.notices).toContain('warning: [svc] Files are not sent: contact1')
  })

  test('with no file chosen hears nothing of files', async () => {
    const page = await openWith(formMarkup({ fields: '<input type="file" name="photo">' }))
    await fillAndSend(page)
    await thanks(page)
  })

  test('sees one outcome beside each of two forms, its own', async () => {
    const page = await openWith(
      `${formMarkup()}<hr>${formMarkup({ attributes: 'data-svc-success="#done"' })}<p id="done" hidden>Done!</p>`,
    )
    await page.getByLabel('Email').last().fill('ada@example.test')
    await page.getByRole('button', { name: 'Send' }).last().click()
    await page.getByText('Done!').waitFor()
    await settled(page)
    expect(await outcomes(page)).toEqual([])
  })

  test('back from the page that thanks finds a form that can be sent again', async () => {
    world.front.put(`${website}/thanks`, pageWith({ scriptFrom: null, body: 'Thanks!' }))
    const page = await openWith(formMarkup())
    await page.evaluate(() => addEventListener('svc:accepted', () => location.assign('/thanks')))
    await fillAndSend(page)
    await page.waitForURL(`${website}/thanks`)
    await page.goBack({ waitUntil: 'commit' })
    await page.locator('[name=_hp]').first().waitFor({ state: 'attached' })
    expect(await page.locator('form').getAttribute('aria-busy')).toBeNull()
    await fillUntil(page, async () => sent().length === 2)
    expect(sent()).toHaveLength(2)
  })

  function refuse(refused: boolean): void {
    world.front.disturbance = ({ method }) => (refused && method === 'POST' ? unavailable() : null)
  }

  /** Within a second after it was accepted, a form is not sent again. */
  const fillUntilRefused = async (page: Page) => {
    const alert = page.getByRole('alert')
    await fillUntil(page, async () => (await alert.count()) === 1)
    // Its words come a moment after it, and whoever sends again meanwhile takes both away.
    await alert.getByText('Sorry').waitFor()
  }
})

async function fillUntil(page: Page, isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) {
    await fillAndSend(page)
    await settled(page)
  }
}

async function fillAndSend(page: Page, email = 'ada@example.test'): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Send' }).click()
}

const thanks = (page: Page): Promise<void> => page.getByRole('status').getByText('Thank you').waitFor()

/** The roles of the messages that stand in the page. */
const outcomes = (page: Page): Promise<(string | null)[]> =>
  page.evaluate(() => [...document.querySelectorAll('.svc-message')].map((one) => one.getAttribute('role')))

/** Names of the fields that the visitor cannot change. */
const locked = (page: Page): Promise<(string | null)[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('[name]:is([readonly], :disabled)')].map((field) => field.getAttribute('name')),
  )

const hearRefusals = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const refusals: unknown[] = []
    Object.assign(window, { refusals })
    addEventListener('svc:refused', (event) => refusals.push((event as CustomEvent).detail))
  })

const heard = (page: Page): Promise<unknown> =>
  page.evaluate(() => (window as unknown as { refusals: unknown }).refusals)

const unavailable = (): Response =>
  Response.json(
    { error: { code: 'unavailable', message: 'Not now.' } },
    { status: 503, headers: { 'access-control-allow-origin': website, 'access-control-allow-credentials': 'true' } },
  )

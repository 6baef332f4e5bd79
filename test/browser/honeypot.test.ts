// docs/script.md, "Forms": the honeypot is out of sight and reach, whatever the page around it looks like.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { aForm, aSite } from '../harness/a-site.ts'
import { hasChromium } from './harness/chromium.ts'
import { page as answerPage } from './harness/front.ts'
import { formMarkup, pageWith } from './harness/pages.ts'
import { World } from './harness/world.ts'

const contact = 'https://www.acme.test/contact'

/** Where forms stand in pages that are more than a page of text, some of them far from the left edge. */
const layouts: Record<string, string> = {
  'a plain page': '',
  'a transformed ancestor': 'main { margin-left: 1010px; transform: translateX(0) }',
  'a filtered ancestor': 'main { margin-left: 1010px; filter: drop-shadow(0 0 1px) }',
  'a fixed ancestor': 'main { position: fixed; right: 0; bottom: 0 }',
  'an ancestor with will-change': 'main { margin-left: 1010px; will-change: transform } form { position: relative }',
  'a contained ancestor': 'main { contain: layout paint; container-type: inline-size }',
  'a grid': 'form { display: grid; gap: 40px }',
  'a flex box from right to left': 'html { direction: rtl } form { display: flex; gap: 40px }',
  'a page that styles every input':
    'input { display: block !important; position: static !important; opacity: 1 !important; width: 300px !important; padding: 9px !important }',
  'a page whose body is a positioned grid': 'body { display: grid; gap: 40px; position: relative; overflow: auto }',
  'a page whose root is a grid': 'html { display: grid; transform: scale(1) } body { margin: 0 }',
}

describe.skipIf(!hasChromium)('the honeypot', () => {
  let world: World

  beforeAll(async () => {
    world = await World.start([aSite({ forms: [aForm(), aForm({ id: 'newslttr' })] })])
  })
  afterEach(() => world.clear())
  afterAll(() => world.stop())

  async function openWith(body: string, head = ''): Promise<Page> {
    world.front.put(contact, pageWith({ head, body }))
    const page = await (await world.regular()).visit(contact)
    await trapOf(page).first().waitFor({ state: 'attached' })
    return page
  }

  test.each(Object.keys(layouts))('changes not a pixel of %s', async (name) => {
    const head = `<style>${layouts[name]}</style>`
    const body = `<main>${formMarkup()}</main>`
    const withTrap = await (await openWith(body, head)).screenshot({ fullPage: true })
    world.front.put(contact, pageWith({ scriptFrom: null, head, body }))
    const without = await (await (await world.regular()).visit(contact)).screenshot({ fullPage: true })
    expect(withTrap.equals(without)).toBe(true)
  })

  test('goes with its form, and no field of the page that waits for a form goes with it', async () => {
    const waiting = '<select id="waiting" form="later" aria-hidden="true" tabindex="-1"></select>'
    const page = await openWith(`<main>${formMarkup()}</main>${waiting}`)
    await page.evaluate(
      (form) => {
        const main = document.querySelector('main') as HTMLElement
        main.innerHTML = form
      },
      formMarkup({ id: 'newslttr' }),
    )
    await page.waitForFunction(() => document.querySelector('form')?.elements.namedItem('_hp'))
    expect(await trapOf(page).count()).toBe(1)
    expect(await page.locator('#waiting').count()).toBe(1)
  })

  test('is no child and no neighbour that the page’s styles could meet', async () => {
    const selectors = ':first-child, :last-child, :only-child, :nth-child(2), :empty, label + *, button + *, * ~ button'
    const matching = (page: Page) =>
      page.evaluate(
        (selectors) =>
          selectors
            .split(', ')
            .map((one) => [one, [...document.querySelectorAll(`form ${one}`)].map(({ outerHTML }) => outerHTML)]),
        selectors,
      )
    const withTrap = await matching(await openWith(formMarkup()))
    world.front.put(contact, pageWith({ scriptFrom: null, body: formMarkup() }))
    expect(withTrap).toEqual(await matching(await (await world.regular()).visit(contact)))
  })

  test('is out of reach of the keyboard, the pointer and screen readers', async () => {
    const page = await openWith(`<a href="#">Before</a>${formMarkup()}<a href="#">Behind</a>`)
    const reached: (string | null)[] = []
    for (let step = 0; step < 8; step++) {
      await page.keyboard.press('Tab')
      reached.push(await page.evaluate(() => document.activeElement?.getAttribute('name') ?? null))
    }
    expect(reached).toContain('message')
    expect(reached).not.toContain('_hp')
    expect(await page.getByRole('textbox').count()).toBe(2)
    expect(await page.evaluate(() => (document.elementFromPoint(0, 0) as HTMLInputElement).name)).not.toBe('_hp')
    expect(await trapOf(page).getAttribute('autocomplete')).toBe('off')
  })

  test('is there under a strict Content-Security-Policy, without a complaint', async () => {
    const policy = "default-src 'none'; script-src https://go.acme.test; connect-src https://go.acme.test"
    world.front.put(contact, () => answerPage(pageWith({ body: formMarkup() }), { 'content-security-policy': policy }))
    const visitor = await world.visitor()
    const page = await visitor.open(contact)
    await trapOf(page).waitFor({ state: 'attached' })
    expect(await trapOf(page).evaluate((trap) => getComputedStyle(trap).opacity)).toBe('0')
    expect(visitor.notices).toEqual([])
  })

  test('belongs to its own form, on a page with several of one id or none', async () => {
    const page = await openWith(
      formMarkup() +
        formMarkup() +
        formMarkup({ id: 'newslttr', attributes: 'id="f"' }) +
        formMarkup({ attributes: 'id="f"' }),
    )
    const forms = await page.evaluate(() =>
      [...document.forms].map(
        (form) => [...form.elements].filter((field) => field.getAttribute('name') === '_hp').length,
      ),
    )
    expect(forms).toEqual([1, 1, 1, 1])
  })

  test('leaves the page with its form', async () => {
    const page = await openWith(formMarkup())
    for (let count = 0; count < 3; count++) {
      await page.evaluate((markup) => {
        document.body.innerHTML = markup
      }, formMarkup())
      await page.waitForFunction(() => document.forms[0]?.elements.namedItem('_hp'))
    }
    expect(await trapOf(page).count()).toBe(1)
  })

  test('that a robot filled is sent, and the box refuses', async () => {
    const page = await openWith(formMarkup())
    await trapOf(page).fill('https://spam.example')
    await page.getByLabel('Email').fill('ada@example.test')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('alert').getByText('Sorry').waitFor()
    const [posted] = world.front.seen('POST', '/_svc/f/')
    expect(posted).toMatchObject({ status: 403 })
    expect(JSON.parse(posted?.body ?? '')._hp).toBe('https://spam.example')
  })
})

const trapOf = (page: Page) => page.locator('[name=_hp]')

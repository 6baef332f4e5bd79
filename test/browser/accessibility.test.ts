// Accessibility of what the script puts into other people's pages, by the rules of axe-core: messages and bot checks.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { aForm, aSite } from '../harness/a-site.ts'
import { hasChromium } from './harness/chromium.ts'
import { formMarkup, pageWith } from './harness/pages.ts'
import { violations } from './harness/violations.ts'
import { World } from './harness/world.ts'

const contact = 'https://www.acme.test/contact'
const checkbox = { name: "I'm not a robot" }

describe.skipIf(!hasChromium)('a page with a form, for whoever cannot see it,', () => {
  let world: World

  beforeAll(async () => {
    const checked = aForm({ id: 'checked1', bot_check: 'on' })
    world = await World.start([aSite({ forms: [aForm(), checked] })])
  })
  afterEach(() => world.clear())
  afterAll(() => world.stop())

  /** Without fault before the script comes, so that whatever is found is the script's. */
  async function openWith(markup: string): Promise<Page> {
    world.front.put(contact, pageWith({ body: `<main><h1>Contact</h1>${markup}</main>` }))
    const page = await (await world.regular()).visit(contact)
    await page.locator('[name=_hp]').waitFor({ state: 'attached' })
    return page
  }

  async function send(page: Page): Promise<void> {
    await page.getByLabel('Email').fill('ada@example.test')
    await page.getByRole('button', { name: 'Send' }).click()
  }

  test('has no fault with the honeypot in it', async () => {
    const page = await openWith(formMarkup())
    expect(await violations(page)).toEqual([])
  })

  test('has no fault with the thank-you shown', async () => {
    const page = await openWith(formMarkup())
    await send(page)
    await page.getByRole('status').getByText('Thank you').waitFor()
    expect(await violations(page)).toEqual([])
  })

  test('has no fault with the page’s own thank-you shown and moved to', async () => {
    const page = await openWith(
      `${formMarkup({ attributes: 'data-svc-success="#done"' })}<p id="done" hidden>Done!</p>`,
    )
    await send(page)
    await page.getByText('Done!').waitFor()
    expect(await violations(page)).toEqual([])
  })

  test('has no fault with a refusal shown', async () => {
    const page = await openWith(formMarkup())
    world.front.disturbance = () => new Response(null, { status: 502 })
    await send(page)
    await page.getByRole('alert').getByText('Sorry').waitFor()
    expect(await violations(page)).toEqual([])
  })

  describe('that requires the self-hosted bot check', () => {
    const openChecked = async () => {
      const page = await openWith(formMarkup({ id: 'checked1' }))
      await page.getByRole('checkbox', checkbox).waitFor()
      return page
    }

    test('has no fault with the check shown', async () => {
      expect(await violations(await openChecked())).toEqual([])
    })

    test('has no fault with the check solved', async () => {
      const page = await openChecked()
      await page.getByRole('checkbox', checkbox).click()
      await page.getByText('Verified').waitFor()
      expect(await violations(page)).toEqual([])
    })

    test('has no fault with a check that failed', async () => {
      const page = await openChecked()
      world.front.disturbance = () => new Response(null, { status: 502 })
      await page.getByRole('checkbox', checkbox).click()
      await page.getByText('Verification failed').waitFor()
      expect(await violations(page)).toEqual([])
    })

    test('lets the keyboard tick it', async () => {
      const page = await openChecked()
      await page.getByRole('checkbox', checkbox).focus()
      await page.keyboard.press('Space')
      await page.getByText('Verified').waitFor()
    })
  })

  test('is looked at by rules that find a fault where there is one', async () => {
    const page = await openWith(`${formMarkup()}<input name="nameless">`)
    expect(await violations(page)).toEqual(['label: input[name="nameless"]'])
  })
})

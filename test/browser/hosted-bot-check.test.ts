// docs/script.md, "Bot checks": the hosted providers, by stand-ins that speak their documented browser interface.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { aForm, aSite } from '../harness/a-site.ts'
import { humanToken, startVerificationServer, type VerificationServer } from '../harness/verification-server.ts'
import { hasChromium } from './harness/chromium.ts'
import { formMarkup, pageWith } from './harness/pages.ts'
import { providerScript, providers } from './harness/provider.ts'
import { World } from './harness/world.ts'

const contact = 'https://www.acme.test/contact'

describe.skipIf(!hasChromium).each(providers)('a form with the bot check of $name', (provider) => {
  let world: World
  let verification: VerificationServer

  beforeAll(async () => {
    verification = startVerificationServer()
    const bot_check = { provider: provider.name, sitekey: 'site-1', secret: 's', verify_url: verification.url }
    world = await World.start([aSite({ forms: [aForm({ bot_check: 'on' })], bot_check })])
  })
  afterEach(() => world.clear())
  afterAll(async () => {
    await world.stop()
    verification[Symbol.dispose]()
  })

  async function openContact(tokens: string[], markup = formMarkup(), visitor = world.regular()): Promise<Page> {
    world.front.put(provider.script, providerScript(provider, tokens))
    world.front.put(contact, pageWith({ body: markup }))
    const page = await (await visitor).visit(contact)
    await page.getByRole('button', { name: 'Solve site-1' }).waitFor()
    await page.getByLabel('Email').fill('ada@example.test')
    return page
  }
  const press = (page: Page) => page.getByRole('button', { name: 'Send' }).click()
  const solve = (page: Page) => page.getByRole('button', { name: 'Solve site-1' }).click()
  const thanks = (page: Page) => page.getByRole('status').getByText('Thank you').waitFor()
  const fieldsSent = () => world.front.seen('POST', '/_svc/f/').map(({ body }) => JSON.parse(body))

  test('shows the provider’s widget with the sitekey, and sends its token', async () => {
    const page = await openContact([humanToken])
    await solve(page)
    await press(page)
    await thanks(page)
    expect(fieldsSent()).toEqual([{ email: 'ada@example.test', message: '', _hp: '', 'botcheck-response': humanToken }])
  })

  test('waits for the visitor to solve it, and asks for it', async () => {
    const page = await openContact([humanToken])
    await press(page)
    await page.getByRole('alert').getByText('Please confirm that you are human.').waitFor()
    expect(fieldsSent()).toEqual([])
    await solve(page)
    await thanks(page)
  })

  test('resets the widget after a refusal, so that the next try has a new token', async () => {
    const page = await openContact(['stale', humanToken])
    await solve(page)
    await press(page)
    await page.getByRole('alert').getByText('Sorry').waitFor()
    expect(await page.getByLabel('Email').inputValue()).toBe('ada@example.test')
    await solve(page)
    await press(page)
    await thanks(page)
    expect(fieldsSent().map((fields) => fields['botcheck-response'])).toEqual(['stale', humanToken])
  })

  test('uses no token that has expired', async () => {
    const page = await openContact(['old', humanToken])
    await solve(page)
    await page.getByRole('button', { name: 'Expire' }).click()
    await solve(page)
    await press(page)
    await thanks(page)
    expect(fieldsSent().map((fields) => fields['botcheck-response'])).toEqual([humanToken])
  })

  test('loads the provider’s script once for two forms', async () => {
    const page = await openContact([humanToken, humanToken], formMarkup(), world.visitor())
    await page.evaluate((markup) => {
      document.body.append(document.createRange().createContextualFragment(markup))
    }, formMarkup())
    await page.getByRole('button', { name: 'Solve site-1' }).nth(1).waitFor()
    const { origin, pathname } = new URL(provider.script)
    const loads = world.front.requests.filter((one) => one.origin === origin && one.path.startsWith(pathname))
    expect(loads).toHaveLength(1)
  })

  test('says so when the provider’s script cannot be had', async () => {
    world.front.put(provider.script, () => new Response(null, { status: 500 }))
    world.front.put(contact, pageWith({ body: formMarkup() }))
    const visitor = await world.visitor()
    const page = await visitor.open(contact)
    await page.getByLabel('Email').fill('ada@example.test')
    await press(page)
    await page.getByRole('alert').getByText('Sorry').waitFor()
    expect(fieldsSent()).toEqual([])
    expect(visitor.notices).toContain(`warning: [svc] The bot check could not be loaded from ${provider.script}`)
  })
})

// Contract section 7, Forms, in a real browser.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { aSite } from '../harness/a-site.ts'
import { hasChromium } from './harness/chromium.ts'
import { formMarkup, pageWith } from './harness/pages.ts'
import { World, worldStartMsMax } from './harness/world.ts'

describe.skipIf(!hasChromium)('a form', () => {
  let world: World

  beforeAll(async () => {
    world = await World.start([aSite()])
  }, worldStartMsMax)
  afterEach(() => world.clear())
  afterAll(() => world.stop())

  test('on the customer’s own website arrives with what was typed', async () => {
    world.front.put('https://www.acme.test/contact', pageWith({ body: formMarkup() }))
    const page = await (await world.visitor()).open('https://www.acme.test/contact')
    await page.getByLabel('Email').fill('ada@example.test')
    await page.getByLabel('Message').fill('Hello')
    await page.getByRole('button').click()
    await page.getByRole('status').getByText('Thank you').waitFor()
    const [submission] = await world.box.submissions()
    expect(submission?.fields).toEqual({ email: 'ada@example.test', message: 'Hello', _hp: '' })
  })
})

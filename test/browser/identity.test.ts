// Spec, Event capture (identity rules) and Form capture, in a real browser: whose device a visitor's requests are.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { aSite } from '../harness/a-site.ts'
import { eventually } from '../harness/eventually.ts'
import { hasChromium } from './harness/chromium.ts'
import { formMarkup, pageWith } from './harness/pages.ts'
import type { Visitor } from './harness/visitor.ts'
import { World } from './harness/world.ts'

const sameSite = 'https://www.acme.test'
const thirdParty = 'https://shop.other.test'

describe.skipIf(!hasChromium)('a visitor', () => {
  let world: World

  beforeAll(async () => {
    const tracking = { key: `svc_tk_${'i'.repeat(32)}`, auto_pageview: false }
    world = await World.start([aSite({ origins: [sameSite, thirdParty], tracking })])
  })
  afterEach(() => world.clear())
  afterAll(() => world.stop())

  const script = `<script>svcConsent = true</script>
    <script src="https://go.acme.test/_svc/v1.js" data-site-key="svc_tk_${'i'.repeat(32)}" defer></script>`

  /** One visit to a page of the site, during which one batch with this command's event is accepted. */
  async function visitWith(visitor: Visitor, origin: string, command: unknown[]): Promise<void> {
    const before = accepted()
    world.front.put(`${origin}/page`, pageWith({ scriptFrom: null, head: script, body: formMarkup() }))
    const page = await visitor.open(`${origin}/page`)
    await page.evaluate((command) => svc(...command), command)
    await eventually('an accepted batch', async () => accepted() > before)
  }

  const accepted = () => world.front.seen('POST', '/_svc/e').filter(({ status }) => status === 202).length
  const storedEvents = async (names: string[]) =>
    (await world.box.events()).filter(({ event, traits }) => names.includes(String(traits?.email ?? event)))

  test('of the same site is one device, batch after batch', async () => {
    const visitor = await world.visitor()
    await visitWith(visitor, sameSite, ['track', 'same_first'])
    await visitWith(visitor, sameSite, ['track', 'same_second'])
    const events = await storedEvents(['same_first', 'same_second'])
    expect(events.map(({ event }) => event)).toEqual(['same_first', 'same_second'])
    expect(new Set(events.map(({ deviceId }) => deviceId)).size).toBe(1)
  })

  test('of the same site is told from another visitor', async () => {
    await visitWith(await world.visitor(), sameSite, ['track', 'other_first'])
    await visitWith(await world.visitor(), sameSite, ['track', 'other_second'])
    const events = await storedEvents(['other_first', 'other_second'])
    expect(new Set(events.map(({ deviceId }) => deviceId)).size).toBe(2)
  })

  test('of another site is a new device with each batch', async () => {
    const visitor = await world.visitor()
    await visitWith(visitor, thirdParty, ['track', 'third_first'])
    await visitWith(visitor, thirdParty, ['track', 'third_second'])
    const events = await storedEvents(['third_first', 'third_second'])
    expect(events).toHaveLength(2)
    expect(new Set(events.map(({ deviceId }) => deviceId)).size).toBe(2)
    expect(await visitor.cookies()).toEqual([])
  })

  test('of another site is tied to their events by $identify alone', async () => {
    const visitor = await world.visitor()
    await visitWith(visitor, thirdParty, ['identify', { email: 'ada@other.test' }])
    const [identified] = await storedEvents(['ada@other.test'])
    expect(identified?.event).toBe('$identify')
    expect(identified?.traits).toEqual({ email: 'ada@other.test' })
    expect(identified?.source.origin).toBe(thirdParty)
  })

  test.each([
    ['the same site', sameSite, true],
    ['another site', thirdParty, false],
  ])('of %s who sends a form, whether with the device of their events (%s: %p)', async (_, origin, known) => {
    const visitor = await world.visitor()
    const mark = `form_of_${new URL(origin).host}`
    await visitWith(visitor, origin, ['track', mark])
    const page = await visitor.open(`${origin}/page`)
    await page.getByLabel('Email').fill('ada@example.test')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('status').getByText('Thank you').waitFor()
    const [event] = await storedEvents([mark])
    const submission = (await world.box.submissions()).at(-1)
    expect(submission?.source.origin).toBe(origin)
    expect(submission?.deviceId).toBe(known ? String(event?.deviceId) : null)
  })
})

declare const svc: (...command: unknown[]) => void

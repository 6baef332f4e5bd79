// The script never throws into the page and never breaks a form, whatever `/_svc/rc` answers.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Page } from 'playwright-core'
import { aSite } from '../harness/a-site.ts'
import { hasChromium } from './harness/chromium.ts'
import { hide } from './harness/hide.ts'
import { formMarkup, pageWith } from './harness/pages.ts'
import type { Visitor } from './harness/visitor.ts'
import { World } from './harness/world.ts'

const contact = 'https://www.acme.test/contact'
/** Each run opens a page; so many take a few seconds. */
const runs = 12

describe.skipIf(!hasChromium)('whatever the runtime configuration is', () => {
  let world: World
  let visitor: Visitor
  let page: Page

  beforeAll(async () => {
    world = await World.start([aSite()])
  })
  beforeEach(async () => {
    visitor = await world.visitor()
    page = await visitor.context.newPage()
  })
  afterEach(() => world.clear())
  afterAll(() => world.stop())

  /** The page with a form and an event, whose script is told this. */
  async function open(rc: string): Promise<void> {
    world.front.put(contact, pageWith({ head: '<script>svcConsent = true</script>', body: formMarkup() }))
    world.front.disturbance = ({ path }) =>
      path.startsWith('/_svc/rc') ? new Response(rc, { headers: { 'access-control-allow-origin': '*' } }) : null
    await page.goto(contact)
    await page.waitForFunction(() => svc?.o)
    await page.evaluate(() => svc('track', 'seen'))
    await page.getByLabel('Email').fill('ada@example.test')
    await page.getByLabel('Message').fill('Hello')
  }

  /** What waits is sent, or is not, in the way of the configuration; then the errors that nobody caught. */
  async function errorsAfterLeaving(): Promise<string[]> {
    await hide(page)
    await page.goto('about:blank')
    return visitor.errors
  }

  /** How the script is done with the form: nothing is under way, and the visitor sees why. */
  async function send(): Promise<Outcome> {
    await page.evaluate(() => document.querySelector<HTMLButtonElement>('button[type=submit]')?.click())
    const outcome = await page.waitForFunction(() => {
      const form = document.querySelector('form')
      if (!form || form.ariaBusy) return null
      if (form.querySelector('[role=status]')?.textContent) return 'accepted'
      if (form.querySelector('[role=alert]')?.textContent) return 'refused'
      return form.checkValidity() ? null : 'invalid'
    })
    return (await outcome.jsonValue()) ?? 'invalid'
  }

  test('that says nothing of the form, it is sent, and nothing is thrown into the page', async () => {
    await fc.assert(
      fc.asyncProperty(nonsense, async (rc) => {
        await open(rc)
        expect(await send()).toBe('accepted')
        expect(page.url()).toBe(contact)
        expect(await errorsAfterLeaving()).toEqual([])
      }),
      { numRuns: runs, endOnFailure: true },
    )
  })

  test('that says wrong things of it, the visitor hears how it went, and nothing is thrown into the page', async () => {
    await fc.assert(
      fc.asyncProperty(almostRight, async (rc) => {
        await open(rc)
        expect(['accepted', 'refused', 'invalid']).toContain(await send())
        expect(page.url()).toBe(contact)
        expect(await errorsAfterLeaving()).toEqual([])
        expect(world.front.seen('POST', '/contact')).toEqual([])
      }),
      { numRuns: runs, endOnFailure: true },
    )
  })

  test.each(['null', '7', '{"provider":[]}', '{"provider":"turnstile","sitekey":{}}'])(
    'with a required bot check that is %s, the visitor hears that it could not be sent, or it is',
    async (botCheck) => {
      await open(`{"botCheck":${botCheck},"forms":{"contact1":{"botCheckRequired":true}}}`)
      expect(['accepted', 'refused']).toContain(await send())
      expect(await page.getByLabel('Email').count()).toBe(1)
      expect(await errorsAfterLeaving()).toEqual([])
    },
  )
})

type Outcome = 'accepted' | 'refused' | 'invalid'

/** JSON or not, but no configuration of this form. */
const nonsense = fc
  .oneof(fc.json(), fc.string(), fc.string({ unit: 'binary' }), fc.constantFrom('', '[]', 'null', '{', '{"forms":['))
  .filter((text) => !text.includes('contact1'))

/** A value of the wrong type, mostly. */
const anything = fc.oneof({ weight: 3, arbitrary: fc.jsonValue({ maxDepth: 2 }) }, fc.constantFrom(null, true, false))
const names = fc.constantFrom('email', 'message', '_hp', '', 'svc', 'constructor', '__proto__')

const schema = fc.oneof(
  anything,
  fc.record(
    {
      required: fc.oneof(anything, fc.array(names), names),
      properties: fc.oneof(anything, fc.dictionary(names, fc.oneof(anything, fc.record({ format: anything })))),
    },
    { requiredKeys: [] },
  ),
)

const form = fc.oneof(
  anything,
  fc.record(
    {
      registered: anything,
      honeypotFieldName: fc.oneof(anything, names),
      // A check that is required and makes no sense is a refusal; it has a test of its own.
      botCheckRequired: fc.constantFrom(false, null, 0, ''),
      schema,
    },
    { requiredKeys: [] },
  ),
)

const configuration = fc.record(
  {
    v: anything,
    originAuthorised: anything,
    consent: fc.oneof(
      anything,
      fc.record({ signalSource: fc.oneof(anything, fc.constant('svcConsent')), blockBeforeOptIn: anything }),
    ),
    tracking: fc.oneof(anything, fc.record({ enabled: anything, autoPageview: anything })),
    botCheck: fc.oneof(anything, fc.record({ provider: anything, sitekey: anything })),
    forms: fc.oneof({ weight: 4, arbitrary: fc.record({ contact1: form }) }, anything),
  },
  { requiredKeys: ['forms'] },
)

/** A configuration some of whose parts are not what they should be. */
const almostRight = configuration.map((value) => JSON.stringify(value))

declare const svc: { (...command: unknown[]): void; o?: string[] }

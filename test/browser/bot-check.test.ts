// docs/script.md, "Bot checks", in a real browser: the self-hosted one.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { aForm, aSite } from '../harness/a-site.ts'
import { hasChromium } from './harness/chromium.ts'
import { page as answerPage } from './harness/front.ts'
import { formMarkup, pageWith } from './harness/pages.ts'
import type { Visitor } from './harness/visitor.ts'
import { World } from './harness/world.ts'

const contact = 'https://www.acme.test/contact'
const label = "I'm not a robot"

/** What docs/script.md tells a site with a strict policy to allow. */
const documentation = await Bun.file(join(import.meta.dir, '../../docs/script.md')).text()
const strictPolicy = /^Content-Security-Policy: (default-src 'none'; .*)$/m.exec(documentation)?.[1] ?? ''

describe.skipIf(!hasChromium)('a form that requires the self-hosted bot check', () => {
  let world: World

  beforeAll(async () => {
    const forms = [aForm({ bot_check: 'on' }), aForm({ id: 'newslttr', bot_check: 'on' }), aForm({ id: 'without1' })]
    const launch = pageWith({ scriptFrom: '', body: formMarkup() })
    world = await World.start([aSite({ forms, files: { 'pages/launch.html': launch } })])
  })
  afterEach(() => world.clear())
  afterAll(() => world.stop())

  /**
   * The script waits 5 s for a form's declaration, without which it sends no bot check, and 10 s or more for its own files. A
   * machine that stalls takes longer.
   */
  async function aPatientVisitor(): Promise<Visitor> {
    const visitor = await world.visitor()
    await visitor.context.addInitScript(withoutLongTimers)
    return visitor
  }

  const fieldsSent = () => world.front.seen('POST', '/_svc/f/').map(({ body }) => JSON.parse(body))

  test('shows it, solves it when it is sent, and arrives, under a strict Content-Security-Policy', async () => {
    world.front.put(contact, () =>
      answerPage(pageWith({ body: formMarkup() }), {
        'content-security-policy': strictPolicy.replaceAll('go.acme.example', 'go.acme.test'),
      }),
    )
    expect(strictPolicy).toContain('https://go.acme.example')
    const visitor = await aPatientVisitor()
    const page = await visitor.open(contact)
    await page.getByRole('checkbox', { name: label }).waitFor()
    await send(page)
    await thanks(page)
    expect(visitor.notices).toEqual([])
    expect(visitor.errors).toEqual([])
    expect(fieldsSent().map((fields) => Object.keys(fields))).toEqual([
      ['email', 'message', '_hp', 'botcheck-response'],
    ])
    const stored = await world.box.submissions()
    expect(stored.at(-1)?.botCheck).toEqual({ required: true, provider: 'altcha', verified: true })
  })

  test.each(["require-trusted-types-for 'script'", "require-trusted-types-for 'script'; trusted-types 'none'"])(
    'arrives under %s',
    async (policy) => {
      world.front.put(contact, () =>
        answerPage(pageWith({ body: formMarkup() }), { 'content-security-policy': policy }),
      )
      const visitor = await aPatientVisitor()
      const page = await visitor.open(contact)
      await send(page)
      await thanks(page)
      expect((await world.box.submissions()).at(-1)?.botCheck).toMatchObject({ verified: true })
      expect(visitor.errors).toEqual([])
    },
  )

  test('asks a slow phone for at most 101 tries of 5,000 rounds of hashing', async () => {
    world.front.put(contact, pageWith({ body: formMarkup() }))
    const visitor = await aPatientVisitor()
    await visitor.context.addInitScript(countTries)
    const page = await visitor.open(contact)
    await page.getByRole('checkbox', { name: label }).waitFor()
    const session = await page.context().newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: 6 })
    await send(page)
    await thanks(page)
    const rounds = await page.evaluate(() => window.roundsOfTries)
    expect(new Set(rounds)).toEqual(new Set([5_000]))
    // Its workers try side by side, some ahead of the others: what was found says how many tries it took.
    const [fields] = fieldsSent()
    expect(JSON.parse(atob(fields['botcheck-response'])).solution.counter).toBeWithin(50, 101)
  })

  test('works on a landing page of the box itself', async () => {
    const page = await (await aPatientVisitor()).open('https://go.acme.test/launch')
    await send(page)
    await thanks(page)
  })

  test('is loaded from the box alone, and tells it nothing of the visitor', async () => {
    world.front.put(contact, pageWith({ body: formMarkup() }))
    const page = await (await aPatientVisitor()).open(contact)
    await send(page)
    await thanks(page)
    expect(new Set(world.front.requests.map(({ origin }) => origin))).toEqual(
      new Set(['https://www.acme.test', 'https://go.acme.test']),
    )
    const [challenge] = world.front.seen('GET', '/_svc/b').filter(({ path }) => path === '/_svc/b')
    expect(challenge?.headers.get('cookie') ?? null).toBeNull()
  })

  test('loads nothing of it on a page whose form requires none', async () => {
    world.front.put(contact, pageWith({ body: formMarkup({ id: 'without1' }) }))
    const page = await (await aPatientVisitor()).open(contact)
    await send(page)
    await thanks(page)
    expect(world.front.seen('GET', '/_svc/b')).toEqual([])
  })

  test('can be ticked before it is sent, and then nothing is solved twice', async () => {
    world.front.put(contact, pageWith({ body: formMarkup() }))
    const page = await (await aPatientVisitor()).open(contact)
    await page.getByRole('checkbox', { name: label }).click()
    await page.getByText('Verified').waitFor()
    await send(page)
    await thanks(page)
    expect(world.front.requests.filter(({ path }) => path === '/_svc/b')).toHaveLength(1)
  })

  test('solves it anew when the box refused what came with the last one', async () => {
    world.front.put(contact, pageWith({ body: formMarkup() }))
    let refusals = 1
    world.front.disturbance = ({ method, path }) =>
      method === 'POST' && path.startsWith('/_svc/f/') && refusals-- > 0 ? unavailable('https://www.acme.test') : null
    const page = await (await aPatientVisitor()).open(contact)
    await send(page)
    await page.getByRole('alert').getByText('Sorry').waitFor()
    await page.getByRole('button').click()
    await thanks(page)
    const [first, second] = fieldsSent()
    expect(second['botcheck-response']).not.toBe(first['botcheck-response'])
  })

  test('says so when no challenge can be had, keeps what was typed, and works afterwards', async () => {
    world.front.put(contact, pageWith({ body: formMarkup() }))
    world.front.disturbance = ({ path }) =>
      path === '/_svc/b'
        ? Response.json(
            { error: { code: 'rate_limited', message: 'Wait.' } },
            {
              status: 429,
              headers: {
                'access-control-allow-origin': '*',
                'access-control-expose-headers': 'Retry-After',
                'retry-after': '7',
              },
            },
          )
        : null
    const page = await (await aPatientVisitor()).open(contact)
    await send(page)
    await page.getByRole('alert').getByText('7 s').waitFor()
    expect(await page.getByLabel('Email').inputValue()).toBe('ada@example.test')
    expect(fieldsSent()).toEqual([])
    world.front.disturbance = () => null
    await page.getByRole('button').click()
    await thanks(page)
  })

  test('says so when the check itself cannot be loaded, and loads it on the next try', async () => {
    world.front.put(contact, pageWith({ body: formMarkup() }))
    world.front.disturbance = ({ path }) => (path.startsWith('/_svc/b') ? new Response(null, { status: 503 }) : null)
    const page = await (await aPatientVisitor()).open(contact)
    await send(page)
    await page.getByRole('alert').getByText('Sorry').waitFor()
    world.front.disturbance = () => null
    await page.getByRole('button').click()
    await thanks(page)
  })

  test('stands beside another one on the same page, each solved for its own', async () => {
    const body = formMarkup() + formMarkup({ id: 'newslttr' })
    world.front.put(contact, pageWith({ body }))
    const page = await (await aPatientVisitor()).open(contact)
    await page.getByRole('checkbox', { name: label }).nth(1).waitFor()
    for (const form of [0, 1]) {
      await page.getByLabel('Email').nth(form).fill('ada@example.test')
      await page.getByRole('button').nth(form).click()
      await page.getByRole('status').nth(form).getByText('Thank you').waitFor()
    }
    expect(await page.getByRole('checkbox').count()).toBe(2)
  })

  test('stands where the page wants it', async () => {
    const fields = '<div id="here" data-svc-bot-check></div><p>Then some text.</p>'
    world.front.put(contact, pageWith({ body: formMarkup({ fields }) }))
    const page = await (await aPatientVisitor()).open(contact)
    await page.locator('#here').getByRole('checkbox', { name: label }).waitFor()
  })

  test('speaks the language of the page', async () => {
    world.front.put(contact, pageWith({ body: formMarkup() }).replace('lang="en"', 'lang="de"'))
    const page = await (await aPatientVisitor()).open(contact)
    await page.getByRole('checkbox', { name: 'Ich bin kein Roboter' }).waitFor()
  })
})

declare global {
  interface Window {
    /** The rounds of hashing of each try, in their order. */
    roundsOfTries?: number[]
  }
}

/** Runs in the page before its own scripts: waits that limit something never end. */
function withoutLongTimers(): void {
  const limitMsMin = 5_000
  const { setTimeout: original } = window
  const shortOnly = (handler: TimerHandler, ms = 0, ...rest: unknown[]): number =>
    ms < limitMsMin ? original(handler, ms, ...rest) : 0
  window.setTimeout = shortOnly as typeof window.setTimeout
}

/** Runs in the page before its own scripts. */
function countTries(): void {
  const rounds: number[] = []
  window.roundsOfTries = rounds
  const { deriveBits } = SubtleCrypto.prototype
  SubtleCrypto.prototype.deriveBits = function (algorithm, ...rest) {
    if (typeof algorithm !== 'string' && 'iterations' in algorithm) rounds.push(algorithm.iterations)
    return deriveBits.call(this, algorithm, ...rest)
  }
}

async function send(page: Page): Promise<void> {
  await page.getByLabel('Email').fill('ada@example.test')
  await page.getByRole('button').click()
}

const thanks = (page: Page): Promise<void> => page.getByRole('status').getByText('Thank you').waitFor()

const unavailable = (origin: string): Response =>
  Response.json(
    { error: { code: 'unavailable', message: 'Not now.' } },
    {
      status: 503,
      headers: { 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'true' },
    },
  )

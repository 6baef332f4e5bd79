// Every figure of clicks is what counting them would give, whatever came in which order.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Entry } from '../../../src/ledger/entry.ts'
import { type ClickRules, clickRules } from '../../../src/verdict/click-verdict.ts'
import { browser, ClickWorld, click, event, otherBrowser, view } from './click-world.ts'

const where = {
  seconds: fc.integer({ min: 0, max: 40 }),
  device: fc.constantFrom('ada', 'bob', 'sandbox'),
  agent: fc.constantFrom(browser, otherBrowser),
  ip: fc.constantFrom('203.0.113.7', '203.0.113.8', null),
  accountId: fc.constantFrom('account-a', 'account-a', 'account-b'),
}
const clicks = fc
  .record({
    ...where,
    to: fc.constantFrom('launch', 'pricing', 'about', '_svc/file/brochure.pdf'),
    recipient: fc.constantFrom('to-ada', 'to-ada', 'to-bob', null),
    message: fc.constantFrom('november', 'november', null),
    method: fc.constantFrom('GET', 'GET', 'GET', 'HEAD'),
    headers: fc.constantFrom<Record<string, string>>({}, {}, { 'sec-purpose': 'prefetch' }),
  })
  .map(click)
const others = fc.oneof(fc.record(where).map(view), fc.record(where).map(event))
const happenings = fc.array(fc.oneof({ arbitrary: clicks, weight: 3 }, { arbitrary: others, weight: 1 }), {
  minLength: 1,
  maxLength: 30,
})

const distrustful: ClickRules = {
  ...clickRules,
  signs: { ...clickRules.signs, no_sign_of_life: 'machine', prefetch: 'machine' },
  burst: { destinationsMin: 2, seconds: 20 },
}
const runs = { numRuns: 40 }

/** The same, of accounts that nothing happened to before: making a database for each run would take most of the time. */
const elsewhere = <E extends Entry>(entries: readonly E[]): E[] => {
  const run = Bun.randomUUIDv7()
  return entries.map((entry) => ({ ...entry, id: Bun.randomUUIDv7(), accountId: `${entry.accountId}-${run}` }))
}

const accountsOf = (entries: readonly Entry[]): string[] => [...new Set(entries.map(({ accountId }) => accountId))]

let world: ClickWorld
beforeAll(() => {
  world = new ClickWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

/** In turns, as processing meets what has arrived by then. */
function happenInTurns(entries: Entry[], turn: number, afterTurn = () => {}): void {
  for (let from = 0; from < entries.length; from += turn) {
    world.happen(...entries.slice(from, from + turn))
    afterTurn()
  }
}

function expectTrueFigures(): void {
  const { kept, counted } = world.figures()
  expect(kept).toEqual(counted)
}

describe('the figures of clicks', () => {
  test('equal a count over the clicks, after every turn and after every change of the rules', async () => {
    await fc.assert(
      fc.asyncProperty(happenings, fc.integer({ min: 1, max: 9 }), async (happening, turn) => {
        const entries = elsewhere(happening)
        happenInTurns(entries, turn, expectTrueFigures)
        for (const rules of [distrustful, clickRules]) {
          for (const accountId of accountsOf(entries)) await world.rejudge(rules, accountId)
          expectTrueFigures()
        }
      }),
      runs,
    )
  })

  test('count all clicks, whatever their verdict', async () => {
    const total = () => Object.values(world.figures().kept).reduce((sum, count) => sum + count, 0)
    await fc.assert(
      fc.asyncProperty(happenings, async (happening) => {
        const before = total()
        world.happen(...elsewhere(happening))
        expect(total() - before).toBe(happening.filter(({ kind }) => kind === 'click').length)
      }),
      runs,
    )
  })
})

describe('verdicts', () => {
  test('that processing came to, click by click, are those of judging all of them again', async () => {
    await fc.assert(
      fc.asyncProperty(happenings, fc.integer({ min: 1, max: 9 }), async (happening, turn) => {
        const entries = elsewhere(happening)
        happenInTurns(entries, turn)
        for (const accountId of accountsOf(entries)) {
          expect((await world.rejudge(clickRules, accountId)).changed).toEqual([])
        }
      }),
      runs,
    )
  })

  test('of clicks do not depend on the order in which they were committed', async () => {
    const orders = fc.array(clicks, { minLength: 2, maxLength: 12 }).chain((all) => {
      const numbers = all.map((_, number) => number)
      return fc.tuple(fc.constant(all), fc.shuffledSubarray(numbers, { minLength: numbers.length }))
    })
    await fc.assert(
      fc.asyncProperty(orders, async ([all, order]) => {
        const [inOrder, shuffled] = [elsewhere(all), elsewhere(all)]
        world.happen(...inOrder)
        world.happen(...order.flatMap((number) => shuffled[number] ?? []))
        expect(shuffled.map((each) => world.judgement(each))).toEqual(inOrder.map((each) => world.judgement(each)))
      }),
      runs,
    )
  })
})

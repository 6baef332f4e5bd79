import { afterAll, beforeAll, expect, test } from 'bun:test'
import { aSite } from '../harness/a-site.ts'
import { eventually } from '../harness/eventually.ts'
import { buildMsMax } from '../harness/executable.ts'
import { type Pebble, startPebble } from '../harness/pebble.ts'
import { autoBox, isActive, keptName, keptOrders, plainVisit, pointHere, untilName } from './harness/auto-box.ts'
import type { BinaryBox } from './harness/binary-box.ts'
import type { RunningServer } from './harness/program.ts'

// Several accounts share one authority: one has names that it refuses, and many of them.

/** One is ordered every two seconds: so many keep the box busy for two minutes. */
const refusedCount = 60
const refusedNames = Array.from({ length: refusedCount }, (_, at) => `n${at}.refused-${at}.dev`)
const lateName = 'go.late-customer.dev'
const page = { 'pages/launch.html': 'Hello' }

let pebble: Pebble
let box: BinaryBox
let server: RunningServer

beforeAll(async () => {
  pebble = await startPebble({ badNoncePercent: 20, httpPort: 80, blockedHosts: refusedNames })
  await pointHere(pebble, [...refusedNames, lateName])
  box = await autoBox(pebble)
  await box.apply(aSite({ account: 'many', domains: refusedNames, files: page }))
  server = await box.serve()
}, buildMsMax)

afterAll(async () => {
  await box?.[Symbol.asyncDispose]()
  await pebble?.[Symbol.asyncDispose]()
})

test('the name of another account is ordered in the next turn', async () => {
  await eventually('orders are refused', async () =>
    (await keptOrders(box)).some(({ outcome }) => outcome === 'refused'),
  )
  await box.apply(aSite({ account: 'late', domains: [lateName], files: page }))
  const before = (await keptOrders(box)).length
  await untilName(box, lateName, isActive)
  const after = (await keptOrders(box)).slice(before).map(({ host }) => host)
  // Those under way when it came, and one turn of the other account: half of all is for a machine that takes a minute to look at it.
  expect(after.indexOf(lateName)).toBeWithin(0, refusedCount / 2)
})

test('each name is served meanwhile, and one after the other is told to be failing with the words of the authority', async () => {
  const [first = ''] = refusedNames
  const name = await untilName(box, first, ({ state }) => state === 'failing')
  expect(name.reason).toContain('says: ')
  expect(await (await plainVisit(pebble, first)).text()).toBe('Hello')
  await server.says(
    'stderr',
    new RegExp(`No certificate could be had for ${first}|names could not be given certificates`),
  )
})

test('orders are spaced', async () => {
  await eventually('there are several', async () => (await keptOrders(box)).length >= 10)
  const ats = (await keptOrders(box)).map(({ beganAt }) => beganAt)
  // Two seconds apart each, of which some may be noted late.
  expect((ats.at(-1) ?? 0) - (ats[0] ?? 0)).toBeGreaterThan((ats.length - 1) * 1000)
  expect(await keptName(box, lateName)).toMatchObject({ state: 'active' })
})

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { aSite } from '../harness/a-site.ts'
import { eventually } from '../harness/eventually.ts'
import { buildMsMax } from '../harness/executable.ts'
import { type Pebble, startPebble } from '../harness/pebble.ts'
import { autoBox, isActive, keptName, keptOrders, plainVisit, pointHere, untilName, visit } from './harness/auto-box.ts'
import type { BinaryBox } from './harness/binary-box.ts'
import type { RunningServer } from './harness/program.ts'

// [https] mode = "auto" (docs/https.md) with a real authority that refuses a fifth of all nonces.

const host = 'go.acme-launch.dev'
const elsewhere = 'old.acme-launch.dev'
const privateName = 'go.acme.test'
const page = { 'pages/launch.html': 'Hello' }

let pebble: Pebble
let box: BinaryBox
let server: RunningServer
let root: string

beforeAll(async () => {
  pebble = await startPebble({ badNoncePercent: 20, httpPort: 80 })
  root = await pebble.issuingRoot()
  await pointHere(pebble, [host])
  await pebble.dns.setA(elsewhere, '127.0.0.2')
  box = await autoBox(pebble)
  await box.apply(aSite({ domains: [host, elsewhere, privateName], files: page }))
  server = await box.serve()
  await untilName(box, host, isActive)
  // From then on no handshake meets the certificates of before.
  await eventually('visitors are sent on', async () => (await plainVisit(pebble, host)).status === 308)
}, buildMsMax)

afterAll(async () => {
  await box?.[Symbol.asyncDispose]()
  await pebble?.[Symbol.asyncDispose]()
})

describe('a connected name that leads here', () => {
  test('is served over https with a certificate that browsers believe', async () => {
    expect(await visit(pebble, { host, root })).toEqual({ status: 200, text: 'Hello' })
  })

  test('sends visitors of port 80 on to https', async () => {
    const { status, headers } = await plainVisit(pebble, host)
    expect({ status, location: headers.get('location') }).toEqual({ status: 308, location: `https://${host}/launch` })
  })

  test('cost one order', async () => {
    expect((await keptOrders(box)).map(({ host, outcome }) => [host, outcome])).toEqual([[host, 'issued']])
  })

  test('has its certificate told in the log, and no key', async () => {
    await server.says('stderr', /go\.acme-launch\.dev has a certificate\./)
    expect(server.stderr).not.toContain('PRIVATE KEY')
  })
})

describe('a connected name that leads elsewhere', () => {
  test('waits, says why and when it is tried again, and costs no order', async () => {
    const name = await untilName(
      box,
      elsewhere,
      ({ nextTryAt, observed }) => nextTryAt !== null && observed.a.length > 0,
    )
    expect(name).toMatchObject({ state: 'waiting', certificate: null, observed: { a: ['127.0.0.2'] } })
    expect(name.reason).not.toBe('')
  })

  test('has its site on port 80', async () => {
    const response = await plainVisit(pebble, elsewhere)
    expect({ status: response.status, text: await response.text() }).toEqual({ status: 200, text: 'Hello' })
  })

  test('is ordered within a minute once its DNS leads here', async () => {
    await pebble.dns.setA(elsewhere, pebble.address)
    await untilName(box, elsewhere, isActive)
    await eventually('https answers', async () => (await visit(pebble, { host: elsewhere, root })) !== null)
  })
})

test('a name that is not public is off', async () => {
  expect(await keptName(box, privateName)).toMatchObject({ state: 'off', certificate: null, nextTryAt: null })
})

test('a challenge that is not under way is a bare 404', async () => {
  const response = await plainVisit(pebble, host, '/.well-known/acme-challenge/unknown')
  expect({ status: response.status, text: await response.text() }).toEqual({ status: 404, text: '' })
})

test('a restart orders nothing and serves https at once', async () => {
  const before = await keptOrders(box)
  await server.stop()
  server = await box.serve()
  expect(await visit(pebble, { host, root })).toEqual({ status: 200, text: 'Hello' })
  // The keeper has had a turn once it has looked at a name that is new.
  await box.apply(aSite({ domains: [host, elsewhere, privateName, 'late.acme-launch.dev'], files: page }))
  await untilName(box, 'late.acme-launch.dev', ({ observed, reason }) => reason !== '' && observed.http === 'none')
  expect(await keptOrders(box)).toEqual(before)
})

// docs/why-nothing-arrives.md: every refusal is counted by endpoint, check and origin.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { aForm, aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { eventRequest, formRequest } from '../harness/capture-requests.ts'
import { eventually } from '../harness/eventually.ts'
import type { Sent } from '../harness/http.ts'
import { startVerificationServer } from '../harness/verification-server.ts'

const provider = startVerificationServer()
let box: Box

beforeAll(async () => {
  const bot_check = { provider: 'turnstile', sitekey: 'site', secret: 'secret', verify_url: provider.url }
  const forms = [aForm(), aForm({ id: 'guarded1', bot_check: 'on' }), aForm({ id: 'limited1' })]
  const origins = ['https://www.acme.test', 'http://preview.localhost']
  box = await Box.start([aSite({ forms, bot_check, origins })], { limits: { form_per_ip: 20, window_seconds: 86_400 } })
}, boxStartMsMax)

afterAll(async () => {
  await box.stop()
  provider[Symbol.dispose]()
})

/** A request that one check refuses, how often it is sent, and the check's name in the table of refusals. */
const refused: [endpoint: 'form' | 'event', check: string, times: number, request: Sent][] = [
  ['form', 'origin', 3, formRequest({ headers: { origin: 'https://shop.acme.test' } })],
  ['form', 'origin', 2, formRequest({ headers: { origin: 'null' } })],
  ['form', 'content_type', 2, formRequest({ headers: { 'content-type': 'text/plain' } })],
  ['form', 'size', 1, formRequest({ body: 'x'.repeat(9000) })],
  ['form', 'body', 2, formRequest({ body: '{' })],
  ['form', 'form', 1, formRequest({ form: 'unknown1' })],
  ['form', 'honeypot', 2, formRequest({ fields: { _hp: 'x' } })],
  ['form', 'bot_check', 1, formRequest({ form: 'guarded1' })],
  ['event', 'origin', 1, eventRequest({ headers: { origin: 'https://shop.acme.test' } })],
  ['event', 'tracking_key', 2, eventRequest({ headers: { 'x-svc-site-key': 'x' } })],
  ['event', 'consent', 1, eventRequest({ headers: { 'x-svc-consent': null } })],
  ['event', 'events', 2, eventRequest({ events: [] })],
]

/** What the test page sends is counted nowhere (docs/why-nothing-arrives.md): refused by a check with a record and without. */
const ofTestPage = { origin: 'http://preview.localhost' }
const uncounted: Sent[] = [
  formRequest({ headers: ofTestPage, fields: { _hp: 'x' } }),
  formRequest({ headers: ofTestPage, form: 'guarded1' }),
  formRequest({ headers: { origin: 'https://preview.localhost:8443' } }),
  eventRequest({ headers: { ...ofTestPage, 'x-svc-consent': null } }),
]

interface Count {
  endpoint: string
  check: string
  origin: string
  count: number
}

async function counted(): Promise<Count[]> {
  const { status, stdout, stderr } = await box.run(['refusals', 'acme', '--json'])
  if (status !== 0) throw new Error(`capture refusals failed: ${stderr}`)
  const printed: unknown = JSON.parse(stdout)
  const rows = Array.isArray(printed) ? printed : Object.values(printed as object).find((value) => Array.isArray(value))
  return (rows as Count[]).map(({ endpoint, check, origin, count }) => ({ endpoint, check, origin, count }))
}

test('every refusal is counted by endpoint, check and origin, including budgets and excluding the test page', async () => {
  for (const request of uncounted) expect((await box.send(request)).status).toBe(403)
  for (const [, , times, request] of refused) for (let i = 0; i < times; i++) await box.send(request)
  const limited = formRequest({ form: 'limited1' })
  for (let i = 0; i < 25; i++) await box.send(limited)

  const expected: Count[] = refused.map(([endpoint, check, count, { headers }]) => {
    return { endpoint, check, origin: headers.origin ?? '', count }
  })
  expected.push({ endpoint: 'form', check: 'budget', origin: 'https://www.acme.test', count: 5 })
  const sum = (counts: Count[]) => counts.reduce((sum, { count }) => sum + count, 0)
  await eventually('all are counted', async () => sum(await counted()) >= sum(expected))
  expect((await counted()).toSorted(byName)).toEqual(expected.toSorted(byName))
})

const byName = (a: Count, b: Count) => nameOf(a).localeCompare(nameOf(b))
const nameOf = ({ endpoint, check, origin }: Count) => `${endpoint} ${check} ${origin}`

// Spec, "Errors": every row of its table and its rules; docs/forms.md, "Errors".
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { aForm, aSite, trackingKeyOf } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { eventRequest, formRequest } from '../harness/capture-requests.ts'
import { type Answer, corsHeaderNames, jsonOf, refusalOf, type Sent } from '../harness/http.ts'
import { startVerificationServer } from '../harness/verification-server.ts'

/** Stands in every place of a request that a caller can fill. */
const submitted = 'sub-mitted-9137'
const secret = 'hidden-secret-4711'
const provider = startVerificationServer()
let box: Box

beforeAll(async () => {
  const bot_check = { provider: 'turnstile', sitekey: 'site', secret, verify_url: provider.url }
  const forms = [aForm(), aForm({ id: 'guarded1', bot_check: 'on' }), aForm({ id: 'draft001', registered: false })]
  box = await Box.start([
    aSite({ forms, bot_check }),
    aSite({ account: 'silent', tracking: { key: trackingKeyOf('silent'), enabled: false } }),
    aSite({ account: 'spent', payload_limit: 1024 }),
  ])
}, boxStartMsMax)

afterAll(async () => {
  await box.stop()
  provider[Symbol.dispose]()
})

const broken = `{"${submitted}":"${submitted}"`
const large = JSON.stringify({ text: submitted.repeat(1000) })

/** The rows of the table, each by every cause it names. */
const refusals: [cause: string, request: Sent, status: number, code: string][] = [
  ['form: wrong content type', formRequest({ headers: { 'content-type': `text/${submitted}` } }), 400, 'validation'],
  ['form: over the size limit', formRequest({ body: large }), 400, 'validation'],
  ['form: no JSON', formRequest({ body: broken }), 400, 'validation'],
  ['form: no JSON object', formRequest({ body: `["${submitted}"]` }), 400, 'validation'],
  ['event: wrong content type', eventRequest({ headers: { 'content-type': submitted } }), 400, 'validation'],
  ['event: over the size limit', eventRequest({ body: large }), 400, 'validation'],
  ['event: no JSON', eventRequest({ body: broken }), 400, 'validation'],
  ['event: no events', eventRequest({ body: `{"${submitted}":1}` }), 400, 'validation'],
  ['event: 21 events', eventRequest({ events: Array(21).fill({ event: submitted }) }), 400, 'validation'],
  [
    'event: a malformed event',
    eventRequest({ events: [{ event: submitted, properties: submitted }] }),
    400,
    'validation',
  ],
  [
    'event: a field too many',
    eventRequest({ events: [{ event: submitted, [submitted]: submitted }] }),
    400,
    'validation',
  ],
  ['event: a long name', eventRequest({ events: [{ event: submitted.repeat(20) }] }), 400, 'validation'],
  [
    'form: origin not allowlisted',
    formRequest({ headers: { origin: `https://${submitted}.test` } }),
    403,
    'unknown_source',
  ],
  [
    'event: origin not allowlisted',
    eventRequest({ headers: { origin: `https://${submitted}.test` } }),
    403,
    'unknown_source',
  ],
  ['event: tracking disabled', eventRequest({ account: 'silent' }), 403, 'unknown_source'],
  ['event: key mismatch', eventRequest({ headers: { 'x-svc-site-key': submitted } }), 403, 'unknown_source'],
  ['event: no key', eventRequest({ headers: { 'x-svc-site-key': null } }), 403, 'unknown_source'],
  ['form: unknown', formRequest({ form: submitted }), 404, 'unknown_source'],
  ['form: not registered', formRequest({ form: 'draft001' }), 404, 'unknown_source'],
  ['form: honeypot filled', formRequest({ fields: { _hp: submitted } }), 403, 'bot'],
  ['form: bot-check token missing', formRequest({ form: 'guarded1', fields: { a: submitted } }), 403, 'bot'],
  [
    'form: bot-check token invalid',
    formRequest({ form: 'guarded1', fields: { 'botcheck-response': submitted } }),
    403,
    'bot',
  ],
  ['event: no consent evidence', eventRequest({ headers: { 'x-svc-consent': submitted } }), 403, 'consent_missing'],
]

const withCause = refusals.map(([cause, request, status, code]) => ({ cause, request, status, code }))

/** Everything that must not be seen in an answer. */
const hidden = [
  submitted,
  secret,
  trackingKeyOf('acme'),
  trackingKeyOf('silent'),
  'www.acme.test',
  '/src/',
  '.ts:',
  'Error:',
]

const messageOf = (answer: Answer): unknown => {
  const { error } = jsonOf(answer)
  return typeof error === 'object' && error !== null && 'message' in error ? error.message : undefined
}

describe.each(withCause)('$cause', ({ request, status, code }) => {
  let answer: Answer
  beforeAll(async () => {
    answer = await box.send(request)
  })

  test('is answered with its status and code', () => {
    expect(refusalOf(answer)).toEqual({ status, code })
  })

  test('has the one shape of every JSON error', () => {
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
    expect(jsonOf(answer)).toEqual({ error: { code, message: expect.any(String) } })
  })

  test('says one sentence', () => {
    expect(messageOf(answer)).toMatch(/^[A-Z"`e].{10,250}\.$/)
  })

  test('repeats no submitted value, no secret and nothing of the program', () => {
    expect(hidden.filter((text) => answer.text.includes(text))).toEqual([])
  })

  test('is not cached', () => {
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })

  test('sets no cookie', () => {
    expect(answer.headers.get('set-cookie')).toBeNull()
  })
})

test.each(['form', 'event'])('a refused origin carries no CORS headers: %s', async (endpoint) => {
  const headers = { origin: 'https://evil.test' }
  const answer = await box.send(endpoint === 'form' ? formRequest({ headers }) : eventRequest({ headers }))
  expect(corsHeaderNames(answer)).toEqual([])
})

test.each([
  ['the event', [{ event: 'a' }, { event: 1 }], 'events[1].event'],
  ['the properties', [{ event: 'a', properties: [] }], 'events[0].properties'],
  ['the traits', [{ event: 'a' }, { event: 'b' }, { event: 'c', traits: null }], 'events[2].traits'],
  ['the event itself', [{ event: 'a' }, null], 'events[1]'],
])('a message names %s that is malformed', async (_what, events, field) => {
  expect(messageOf(await box.send(eventRequest({ events })))).toContain(field)
})

test('nothing that was refused is stored, but what was refused as a bot', async () => {
  for (const { request } of withCause) await box.send(request)
  const statuses = (await box.submissions()).map(({ status }) => status)
  expect({ statuses: [...new Set(statuses)], events: await box.events() }).toEqual({
    statuses: ['refused'],
    events: [],
  })
})

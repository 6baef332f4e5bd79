// Spec, the two tables "Order of checks (stops at the first failure)": whatever else is wrong with a request, the
// answer is the one to the first check it fails. Every set of failures that begins with N is N's answer.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { aForm, aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { eventRequest, formRequest } from '../harness/capture-requests.ts'
import { type Answer, corsHeaderNames, errorCode, type Sent } from '../harness/http.ts'
import { humanToken, startVerificationServer } from '../harness/verification-server.ts'

/** What a request fails on purpose. */
interface Check {
  name: string
  status: number
  code: string
  violate: (draft: Draft) => void
}

/** A request in its parts, so that any of them can be spoilt without mending another. */
interface Draft {
  path: string
  headers: Record<string, string | null>
  /** The body, if it is whole. */
  value: Record<string, unknown>
  isTruncated: boolean
}

const payloadBytesMax = 8192
const spentAddress = '203.0.113.7'
const spentOrigin = 'https://spent.acme.test'
const refusedOrigin = 'https://www.evil.test'
const budget = 3

const origin: Check = {
  name: 'origin',
  status: 403,
  code: 'unknown_source',
  violate: ({ headers }) => Object.assign(headers, { origin: refusedOrigin }),
}
const contentType: Check = {
  name: 'content type',
  status: 400,
  code: 'validation',
  violate: ({ headers }) => Object.assign(headers, { 'content-type': 'text/plain' }),
}
const size: Check = {
  name: 'size',
  status: 400,
  code: 'validation',
  violate: ({ value }) => Object.assign(value, { padding: 'x'.repeat(payloadBytesMax) }),
}
/** Spent for the address and, where check 1 lets it through, for the origin. */
const budgets: Check = {
  name: 'budgets',
  status: 429,
  code: 'rate_limited',
  violate: ({ headers }) => {
    if (headers.origin !== refusedOrigin) headers.origin = spentOrigin
    headers['x-forwarded-for'] = spentAddress
  },
}

const formChecks: Check[] = [
  origin,
  contentType,
  size,
  {
    name: 'JSON object',
    status: 400,
    code: 'validation',
    violate: (draft) => Object.assign(draft, { isTruncated: true }),
  },
  {
    name: 'registered form',
    status: 404,
    code: 'unknown_source',
    violate: (draft) => Object.assign(draft, { path: '/_svc/f/draft001' }),
  },
  budgets,
  { name: 'honeypot', status: 403, code: 'bot', violate: ({ value }) => Object.assign(value, { _hp: 'filled' }) },
  {
    name: 'bot check',
    status: 403,
    code: 'bot',
    violate: ({ value }) => Object.assign(value, { 'botcheck-response': 'machine' }),
  },
]

const eventChecks: Check[] = [
  origin,
  {
    name: 'tracking key',
    status: 403,
    code: 'unknown_source',
    violate: ({ headers }) => Object.assign(headers, { 'x-svc-site-key': `svc_tk_${'0'.repeat(32)}` }),
  },
  contentType,
  size,
  budgets,
  {
    name: 'consent evidence',
    status: 403,
    code: 'consent_missing',
    violate: ({ headers }) => Object.assign(headers, { 'x-svc-consent': null }),
  },
  {
    name: 'well-formed events',
    status: 400,
    code: 'validation',
    violate: ({ value }) => Object.assign(value, { events: [{ event: 'a' }, { event: '' }] }),
  },
]

const provider = startVerificationServer()
let requestsMade = 0
let box: Box

beforeAll(async () => {
  const bot_check = {
    provider: 'turnstile',
    sitekey: 'site',
    secret: 'secret',
    required: true,
    verify_url: provider.url,
  }
  const forms = [aForm(), aForm({ id: 'draft001', registered: false })]
  const site = aSite({ forms, bot_check, origins: ['https://*.acme.test'] })
  const limits = {
    form_per_ip: budget,
    form_per_origin: budget,
    event_per_ip: budget,
    event_per_origin: budget,
    window_seconds: 86_400,
  }
  box = await Box.start([site], { limits, server: { trusted_proxies: ['127.0.0.1/32'] } })
  await spendBudgets()
}, boxStartMsMax)

afterAll(async () => {
  await box.stop()
  provider[Symbol.dispose]()
})

/** For either address and origin, and on either form: whatever a budget may be counted by is spent. */
async function spendBudgets(): Promise<void> {
  for (const path of ['/_svc/f/contact1', '/_svc/f/draft001', '/_svc/e']) {
    for (let sent = 0; sent < budget; sent++) {
      for (const headers of [{ origin: spentOrigin }, { 'x-forwarded-for': spentAddress }]) {
        const draft = path === '/_svc/e' ? validEvents() : validForm()
        Object.assign(draft.headers, headers)
        await box.send(requestOf({ ...draft, path }))
      }
    }
  }
}

/** From an address and an origin that no other request has. */
const fresh = () => {
  const n = ++requestsMade
  return { origin: `https://page${n}.acme.test`, 'x-forwarded-for': `198.18.${n >> 8}.${n & 255}` }
}

const validForm = (): Draft => ({
  path: '/_svc/f/contact1',
  headers: fresh(),
  value: { email: 'ada@example.test', 'botcheck-response': humanToken },
  isTruncated: false,
})

const validEvents = (): Draft => ({
  path: '/_svc/e',
  headers: fresh(),
  value: { events: [{ event: 'plan_chosen' }] },
  isTruncated: false,
})

function requestOf({ path, headers, value, isTruncated }: Draft): Sent {
  const json = JSON.stringify(value)
  const body = isTruncated ? json.slice(0, -1) : json
  return path === '/_svc/e' ? eventRequest({ headers, body }) : formRequest({ path, headers, body })
}

async function answerTo(valid: Draft, violated: Check[]): Promise<Answer> {
  for (const check of violated) check.violate(valid)
  return box.send(requestOf(valid))
}

/** All that one answer says. The message tells checks of one code apart. */
const said = (answer: Answer) => ({
  status: answer.status,
  code: errorCode(answer),
  text: answer.text,
  hasCors: corsHeaderNames(answer).length > 0,
})

const endpoints: [name: string, checks: Check[], valid: () => Draft, accepted: number][] = [
  ['form capture', formChecks, validForm, 200],
  ['event capture', eventChecks, validEvents, 202],
]

describe.each(endpoints)('%s', (_name, checks, valid, accepted) => {
  const withPosition = checks.map((check, i) => [i + 1, check.name, check] as const)
  const pairs = checks.flatMap((first, i) =>
    checks.slice(i + 1).map((later) => [first.name, later.name, first, later] as const),
  )

  test('a request that fails no check is accepted', async () => {
    expect((await answerTo(valid(), [])).status).toBe(accepted)
  })

  test.each(withPosition)('check %d, %s, answers with its status and code', async (_n, _check, check) => {
    const { status, code, hasCors } = said(await answerTo(valid(), [check]))
    expect({ status, code, hasCors }).toEqual({ status: check.status, code: check.code, hasCors: check !== origin })
  })

  test('no two checks answer alike', async () => {
    const texts = await Promise.all(checks.map(async (check) => said(await answerTo(valid(), [check])).text))
    expect(new Set(texts).size).toBe(checks.length)
  })

  test.each(withPosition)('check %d, %s, answers before every later one', async (n, _check, check) => {
    const alone = said(await answerTo(valid(), [check]))
    expect(said(await answerTo(valid(), checks.slice(n - 1)))).toEqual(alone)
  })

  test.each(pairs)('%s answers before %s', async (_first, _later, first, later) => {
    const alone = said(await answerTo(valid(), [first]))
    expect(said(await answerTo(valid(), [first, later]))).toEqual(alone)
  })
})

test('a filled honeypot spares the bot-check provider', async () => {
  const draft = validForm()
  Object.assign(draft.value, { _hp: 'filled', 'botcheck-response': 'spared' })
  await box.send(requestOf(draft))
  expect(provider.asked).not.toContain('spared')
})

// Spec, "Runtime configuration (response of `GET /_svc/rc`)", and docs/forms.md, "What a page can ask".
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { aForm, aSite, trackingKeyOf } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { corsHeaderNames, jsonOf, refusalOf } from '../harness/http.ts'
import { headersOf, visit } from '../harness/visits.ts'

const schema = {
  type: 'object',
  required: ['email'],
  properties: { email: { type: 'string', format: 'email' }, message: { type: 'string' } },
}

const secret = 'provider-secret-never-shown'
const origins = ['https://www.acme.test', 'https://*.shop.test']

let box: Box

beforeAll(async () => {
  const forms = [
    aForm({ schema, redirect_url: 'https://www.acme.test/thanks', consent_text_id: 'privacy-1' }),
    aForm({ id: 'named000', honeypot: 'website' }),
    aForm({ id: 'nohoney0', honeypot: false }),
    aForm({ id: 'checked0', bot_check: 'on' }),
    aForm({ id: 'notlive0', registered: false }),
    ...Array.from({ length: 8 }, (_, i) => aForm({ id: `many000${i}` })),
  ]
  const acme = aSite({ origins, forms })
  const bold = aSite({
    account: 'bold',
    forms: [aForm({ id: 'inherit0' }), aForm({ id: 'spared00', bot_check: 'off' }), aForm({ id: 'boldonly' })],
    tracking: {
      key: trackingKeyOf('bold'),
      enabled: false,
      auto_pageview: false,
      require_opt_in: false,
      consent_signal: 'boldConsent',
    },
    bot_check: { provider: 'turnstile', sitekey: 'public-sitekey', secret, required: true },
  })
  box = await Box.start([acme, bold])
}, boxStartMsMax)

afterAll(() => box.stop())

interface Asked {
  account?: string
  origin?: string
  host?: string
}

const askFor = (query: string, { account, origin, host }: Asked = {}) =>
  box.send(
    visit(`/_svc/rc${query}`, {
      ...(account === undefined ? {} : { account }),
      ...(host === undefined ? {} : { host }),
      headers: { origin: origin ?? null },
    }),
  )

const configuration = async (query: string, asked?: Asked) => jsonOf(await askFor(query, asked))

async function form(id: string, asked?: Asked): Promise<unknown> {
  const { forms } = await configuration(`?f=${id}`, asked)
  return (forms as Record<string, unknown>)[id]
}

describe('the fields', () => {
  test('are exactly those of the spec, as an account has them by default', async () => {
    expect(await configuration('?f=contact1')).toEqual({
      v: 1,
      originAuthorised: true,
      consent: { signalSource: 'svcConsent', blockBeforeOptIn: true },
      tracking: { enabled: true, autoPageview: true },
      botCheck: { provider: 'altcha', sitekey: '' },
      forms: { contact1: { registered: true, honeypotFieldName: '_hp', botCheckRequired: false, schema } },
    })
  })

  test('follow what the account configures', async () => {
    expect(await configuration('', { account: 'bold' })).toEqual({
      v: 1,
      originAuthorised: true,
      consent: { signalSource: 'boldConsent', blockBeforeOptIn: false },
      tracking: { enabled: false, autoPageview: false },
      botCheck: { provider: 'turnstile', sitekey: 'public-sitekey' },
      forms: {},
    })
  })

  test.each([
    ['the tracking key', 'acme', trackingKeyOf('acme')],
    ['the fingerprint', 'acme', new Bun.CryptoHasher('sha256').update(trackingKeyOf('acme')).digest('hex')],
    ['the bot-check secret', 'bold', secret],
    ['the allowlist', 'acme', 'shop.test'],
    ["an allowlisted origin's host", 'acme', 'www.acme.test'],
  ])('never hold %s', async (_what, account, text) => {
    const { text: answered } = await askFor('?f=contact1,inherit0', { account })
    expect(answered).not.toContain(text)
  })
})

describe('`forms[id]`', () => {
  test('names its own honeypot', async () => {
    expect(await form('named000')).toMatchObject({ honeypotFieldName: 'website' })
  })

  test('holds no `honeypotFieldName` when the honeypot is off', async () => {
    expect(await form('nohoney0')).toEqual({
      registered: true,
      botCheckRequired: false,
      schema: { type: 'object', required: [], properties: {} },
    })
  })

  test.each([
    ['switched on by the form', 'checked0', 'acme', true],
    ["inherited from the account's default", 'inherit0', 'bold', true],
    ['switched off by the form', 'spared00', 'bold', false],
  ])('says the resolved decision about a bot check: %s', async (_what, id, account, botCheckRequired) => {
    expect(await form(id, { account })).toMatchObject({ botCheckRequired })
  })

  test.each([
    ['is not registered', 'notlive0'],
    ['never was', 'neverwas'],
    ["is another account's", 'boldonly'],
    ['has no form of an id at all', 'x'.repeat(300)],
    ["is named like an object's own", '__proto__'],
    ["is named like an object's own", 'constructor'],
  ])('is `registered: false` and nothing else for one that %s', async (_what, id) => {
    const { forms } = await configuration(`?f=${encodeURIComponent(id)}`)
    expect(Object.entries(forms as object)).toEqual([[id, { registered: false }]])
  })

  test('of an unknown form does not spoil the others', async () => {
    const { forms } = await configuration('?f=contact1,neverwas')
    expect(forms).toMatchObject({ contact1: { registered: true }, neverwas: { registered: false } })
  })
})

describe('the requested ids', () => {
  const tenIds = ['contact1', 'named000', ...Array.from({ length: 8 }, (_, i) => `many000${i}`)]

  test.each(['', '?f=', '?f=,,', '?g=contact1'])('may be none: %p', async (query) => {
    expect(await configuration(query)).toMatchObject({ forms: {} })
  })

  test('may be ten', async () => {
    const { forms } = await configuration(`?f=${tenIds.join(',')}`)
    expect(Object.keys(forms as object)).toEqual(tenIds)
  })

  test('may not be eleven', async () => {
    const answer = await askFor(`?f=${[...tenIds, 'nohoney0'].join(',')}`)
    expect(refusalOf(answer)).toEqual({ status: 400, code: 'validation' })
  })

  test('count once when repeated', async () => {
    const { forms } = await configuration(`?f=${[...tenIds, ...tenIds].join(',')}`)
    expect(Object.keys(forms as object)).toEqual(tenIds)
  })

  test.each([
    ['percent-encoded', '?f=contact1%2Cnamed000'],
    ['in two parameters', '?f=contact1&f=named000'],
  ])('may come %s', async (_how, query) => {
    expect(Object.keys((await configuration(query)).forms as object)).toEqual(['contact1', 'named000'])
  })

  test('that are too many are refused in a way that page code can read', async () => {
    const answer = await askFor(`?f=${[...tenIds, 'nohoney0'].join(',')}`, { origin: 'https://evil.test' })
    expect(headersOf(answer, 'access-control-allow-origin')).toEqual({ 'access-control-allow-origin': '*' })
  })
})

describe('`originAuthorised`', () => {
  test('is true without an `Origin`', async () => {
    expect(await configuration('')).toMatchObject({ originAuthorised: true })
  })

  test('is true for the own origin', async () => {
    const host = `go.acme.test:${box.port}`
    expect(await configuration('', { host, origin: `http://${host}` })).toMatchObject({ originAuthorised: true })
  })

  test.each(['https://www.acme.test', 'https://a.shop.test', 'https://a.b.shop.test'])(
    'is true for an allowlisted one: %s',
    async (origin) => {
      expect(await configuration('', { origin })).toMatchObject({ originAuthorised: true })
    },
  )

  test.each([
    'https://evil.test',
    'http://www.acme.test',
    'https://www.acme.test:8443',
    'https://shop.test',
    'null',
    'https://www.bold.test',
  ])('is false for any other: %s', async (origin) => {
    expect(await configuration('', { origin })).toMatchObject({ originAuthorised: false })
  })
})

describe('the answer', () => {
  const headers = (origin?: string) =>
    askFor('', origin === undefined ? {} : { origin }).then((answer) =>
      headersOf(answer, 'content-type', 'cache-control', 'vary', 'access-control-allow-origin'),
    )
  const expected = {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'public, max-age=60',
    vary: 'Origin',
    'access-control-allow-origin': '*',
  }

  test.each([
    ['without an origin', undefined],
    ['for an allowlisted origin', 'https://www.acme.test'],
    ['for any other origin', 'https://evil.test'],
  ])('is public, and cacheable for one minute by origin, %s', async (_what, origin) => {
    expect(await headers(origin)).toEqual(expected)
  })

  test('is uncredentialed', async () => {
    const answer = await askFor('', { origin: 'https://www.acme.test' })
    expect(corsHeaderNames(answer)).toEqual(['access-control-allow-origin'])
  })

  test('sets no cookie', async () => {
    expect((await askFor('')).headers.getSetCookie()).toEqual([])
  })

  test('to HEAD is the same without a body', async () => {
    const answer = await box.send(visit('/_svc/rc', { method: 'HEAD' }))
    expect<object>({ status: answer.status, ...headersOf(answer, 'cache-control'), text: answer.text }).toEqual({
      status: 200,
      'cache-control': 'public, max-age=60',
      text: '',
    })
  })
})

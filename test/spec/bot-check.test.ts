// Spec, form check 8 and the key `botcheck-response`; docs/forms.md, "Quarantine" and "Bot checks".
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { aForm, aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { formRequest } from '../harness/capture-requests.ts'
import { type Answer, jsonOf, refusalOf } from '../harness/http.ts'
import { humanToken, startVerificationServer } from '../harness/verification-server.ts'

const provider = startVerificationServer()
let box: Box

const botCheck = {
  provider: 'turnstile',
  sitekey: 'public-site-key',
  secret: 'hidden-secret',
  verify_url: provider.url,
}

beforeAll(async () => {
  const gone = startVerificationServer()
  gone[Symbol.dispose]()
  const forms = [
    aForm({ id: 'inherits' }),
    aForm({ id: 'turnedon', bot_check: 'on' }),
    aForm({ id: 'turnoff1', bot_check: 'off' }),
  ]
  box = await Box.start([
    aSite({ account: 'asking', forms, bot_check: { ...botCheck, required: true } }),
    aSite({ account: 'easy', forms, bot_check: { ...botCheck, required: false } }),
    aSite({ account: 'outage', forms, bot_check: { ...botCheck, required: true, verify_url: gone.url } }),
  ])
}, boxStartMsMax)

afterAll(async () => {
  await box.stop()
  provider[Symbol.dispose]()
})

const post = (account: string, form: string, fields: Record<string, unknown>): Promise<Answer> =>
  box.send(formRequest({ account, form, fields }))

const bot = { status: 403, code: 'bot' }

describe('whether a form requires a token', () => {
  test.each([
    ['asking', 'inherits', true],
    ['asking', 'turnedon', true],
    ['asking', 'turnoff1', false],
    ['easy', 'inherits', false],
    ['easy', 'turnedon', true],
    ['easy', 'turnoff1', false],
  ])('account %s, form %s: %p', async (account, form, required) => {
    expect((await post(account, form, {})).status).toBe(required ? 403 : 200)
    const configuration = await box.send({
      ...formRequest({ account }),
      method: 'GET',
      path: `/_svc/rc?f=${form}`,
      body: null,
    })
    expect(jsonOf(configuration).forms).toMatchObject({ [form]: { botCheckRequired: required } })
  })
})

describe('a required token', () => {
  test('that the provider verifies lets the submission in', async () => {
    const fields = { marker: 'verified', 'botcheck-response': humanToken }
    expect((await post('asking', 'inherits', fields)).status).toBe(200)
    const stored = (await box.submissions('asking')).find((record) => record.fields.marker === 'verified')
    expect(stored?.botCheck).toEqual({ required: true, provider: 'turnstile', verified: true })
  })

  test.each([
    ['missing', undefined],
    ['not verified', 'machine'],
    ['empty', ''],
    ['null', null],
    ['a number', 1],
    ['an array that holds a good one', [humanToken]],
    ['an object', { token: humanToken }],
    ['too long to be one', 'x'.repeat(8000)],
  ])('that is %s is refused', async (_what, token) => {
    expect(refusalOf(await post('asking', 'inherits', { 'botcheck-response': token }))).toEqual(bot)
  })

  test('is not verified while the provider cannot be reached', async () => {
    expect(refusalOf(await post('outage', 'inherits', { 'botcheck-response': humanToken }))).toEqual(bot)
  })

  test('is stored nowhere, neither accepted nor refused', async () => {
    await post('asking', 'inherits', { 'botcheck-response': 'machine-token-1' })
    await post('asking', 'turnoff1', { 'botcheck-response': 'needless-token-2' })
    const lines = (await box.exportLines('asking', 'submissions')).join('\n')
    expect(lines).not.toMatch(/botcheck-response|machine-token-1|needless-token-2/)
  })
})

test('the provider is not asked where no token is required', async () => {
  await post('easy', 'inherits', { 'botcheck-response': 'never-asked' })
  expect(provider.asked).not.toContain('never-asked')
})

describe('a submission that was refused as a bot', () => {
  test('is kept with the reason, its honeypot and its fields', async () => {
    await post('asking', 'inherits', { marker: 'trapped', email: 'bot@example.test', _hp: 'http://spam.test' })
    const [kept] = (await box.submissions('asking')).filter((record) => record.fields.marker === 'trapped')
    expect(kept).toMatchObject({
      status: 'refused',
      refusedFor: 'honeypot',
      identity: { email: 'bot@example.test' },
      honeypot: { field: '_hp', value: 'http://spam.test' },
      botCheck: { required: true, verified: false },
      fields: { marker: 'trapped', email: 'bot@example.test', _hp: 'http://spam.test' },
    })
  })

  test('for its token is kept with that reason', async () => {
    await post('asking', 'inherits', { marker: 'not verified', 'botcheck-response': 'machine' })
    const [kept] = (await box.submissions('asking')).filter((record) => record.fields.marker === 'not verified')
    expect(kept).toMatchObject({
      status: 'refused',
      refusedFor: 'bot_check',
      botCheck: { required: true, provider: 'turnstile', verified: false },
      fields: { marker: 'not verified' },
    })
  })

  test('is not among the accepted ones', async () => {
    await post('asking', 'inherits', { marker: 'apart', _hp: 'x' })
    const { stdout } = await box.run(['export', 'asking', 'submissions'])
    expect(stdout).not.toContain('"apart"')
  })

  test('is exported alone with --refused', async () => {
    await post('easy', 'inherits', { marker: 'let in' })
    await post('easy', 'inherits', { marker: 'kept out', _hp: 'x' })
    const { stdout } = await box.run(['export', 'easy', 'submissions', '--refused'])
    expect(stdout).toContain('"kept out"')
    expect(stdout).not.toContain('"let in"')
  })
})

// docs/forms.md, "Bot checks": `GET /_svc/b`.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Challenge, solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { aForm, aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { formRequest } from '../harness/capture-requests.ts'
import { errorCode, jsonOf } from '../harness/http.ts'
import { headersOf, visit } from '../harness/visits.ts'

const path = '/_svc/b'
const altcha = { provider: 'altcha', sitekey: '', secret: '' }
const forms = [aForm({ bot_check: 'on' })]

let box: Box

beforeAll(async () => {
  box = await Box.start([
    aSite({ forms, bot_check: { ...altcha, difficulty: 'low' } }),
    aSite({ account: 'usual', forms }),
    aSite({ account: 'hosted', bot_check: { provider: 'turnstile', sitekey: 's', secret: 's' } }),
  ])
}, boxStartMsMax)

afterAll(() => box.stop())

const challengeOf = async (account = 'acme'): Promise<Challenge> => {
  const answer = await box.send(visit(path, { account }))
  if (answer.status !== 200) throw new Error(`no challenge: ${answer.status} ${answer.text}`)
  return jsonOf(answer) as unknown as Challenge
}

async function tokenOf(challenge: Challenge): Promise<string> {
  const solution = await solveChallenge({ challenge, deriveKey })
  return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64')
}

const submitting = (token: string, account = 'acme') =>
  box.send(formRequest({ account, fields: { email: 'ada@example.test', 'botcheck-response': token } }))

test('a challenge is JSON that any page may read, without credentials, and that nothing keeps', async () => {
  const answer = await box.send(visit(path, { headers: { origin: 'https://anywhere.test' } }))
  expect<object>({ status: answer.status, ...headersOf(answer, 'content-type', 'cache-control') }).toEqual({
    status: 200,
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
  })
  expect(headersOf(answer, 'access-control-allow-origin', 'access-control-allow-credentials')).toEqual({
    'access-control-allow-origin': '*',
    'access-control-allow-credentials': null,
  })
  expect(answer.headers.getSetCookie()).toEqual([])
})

test('its solution is accepted once', async () => {
  const token = await tokenOf(await challengeOf())
  expect((await submitting(token)).status).toBe(200)
  expect(errorCode(await submitting(token))).toBe('bot')
})

test('its solution is worth nothing on another account', async () => {
  const token = await tokenOf(await challengeOf('acme'))
  expect(errorCode(await submitting(token, 'usual'))).toBe('bot')
})

test('no two challenges are the same', async () => {
  const [one, other] = await Promise.all([challengeOf(), challengeOf()])
  expect(one.parameters.nonce).not.toBe(other.parameters.nonce)
})

test('it expires within ten minutes', async () => {
  const { expiresAt = 0 } = (await challengeOf()).parameters
  const inSeconds = Number(expiresAt) - Date.now() / 1000
  expect(inSeconds).toBeGreaterThan(300)
  expect(inSeconds).toBeLessThanOrEqual(600)
})

test('its difficulty is the account’s', async () => {
  expect((await challengeOf('acme')).parameters.cost).toBe(2_500)
  expect((await challengeOf('usual')).parameters.cost).toBe(5_000)
})

test('there is none where the account’s bot check is somebody else’s', async () => {
  expect((await box.send(visit(path, { account: 'hosted' }))).status).toBe(404)
})

test.each(['POST', 'PUT', 'DELETE'])('%s is not allowed', async (method) => {
  const answer = await box.send(visit(path, { method }))
  expect<object>({ status: answer.status, ...headersOf(answer, 'allow') }).toEqual({ status: 405, allow: 'GET, HEAD' })
})

describe('a caller who asks for too many', () => {
  let small: Box

  beforeAll(async () => {
    small = await Box.start([aSite({ forms })], { limits: { form_per_ip: 2, window_seconds: 600 } })
  }, boxStartMsMax)
  afterAll(() => small.stop())

  test('is told to wait after twice the form’s budget, and has spent none of that', async () => {
    const statuses = []
    for (let asked = 0; asked < 4; asked++) statuses.push((await small.send(visit(path))).status)
    expect(statuses).toEqual([200, 200, 200, 200])
    const answer = await small.send(visit(path))
    expect(answer.status).toBe(429)
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(headersOf(answer, 'access-control-allow-origin', 'access-control-expose-headers')).toEqual({
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'Retry-After',
    })
    expect(errorCode(await small.send(formRequest()))).toBe('bot')
  })
})

// Spec, event capture's "Identity rules"; docs/privacy.md, "The cookie".
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { eventRequest, formRequest, submissionIdOf } from '../harness/capture-requests.ts'
import type { Answer } from '../harness/http.ts'
import { cookieOf } from '../harness/identity.ts'

const https = { 'x-forwarded-proto': 'https', origin: 'https://www.acme.test' }
let box: Box
let marks = 0

beforeAll(async () => {
  box = await Box.start([aSite(), aSite({ account: 'other' })], { server: { trusted_proxies: ['127.0.0.1/32'] } })
}, boxStartMsMax)

afterAll(() => box.stop())

/** Sends a batch and reads back the devices its events were attributed to. */
async function sendBatch(headers: Record<string, string>, count = 1): Promise<{ answer: Answer; devices: string[] }> {
  const event = `mark ${++marks}`
  const answer = await box.send(eventRequest({ headers, events: Array(count).fill({ event }) }))
  const devices = (await box.events()).filter((record) => record.event === event).map(({ deviceId }) => deviceId)
  expect({ status: answer.status, stored: devices.length }).toEqual({ status: 202, stored: count })
  return { answer, devices }
}

/** The cookie and its attributes, whose order says nothing. */
const cookieParts = (answer: Answer) => (setCookie(answer)?.split('; ') ?? []).toSorted()
const attributes = ['HttpOnly', 'Max-Age=34560000', 'Path=/', 'SameSite=Lax']

const setCookie = (answer: Answer) => answer.headers.get('set-cookie')

describe('without a valid cookie', () => {
  test('one identifier is minted for the whole batch', async () => {
    const { devices } = await sendBatch({}, 5)
    expect({ count: devices.length, different: new Set(devices).size }).toEqual({ count: 5, different: 1 })
  })

  test('each batch gets its own identifier', async () => {
    const [first, second] = [await sendBatch({}), await sendBatch({})]
    expect(first.devices).not.toEqual(second.devices)
  })

  test('the cookie is set, and names the minted device', async () => {
    const { answer, devices } = await sendBatch({})
    expect(cookieOf(answer)).toStartWith(`svc_id=${devices[0]}.`)
  })

  test('over plain HTTP it is `svc_id`, without Secure', async () => {
    const { answer } = await sendBatch({})
    expect(cookieParts(answer)).toEqual([...attributes, expect.stringMatching(/^svc_id=[\w.-]+$/)])
  })

  test('over HTTPS it is `__Host-svc_id`, with Secure', async () => {
    const { answer } = await sendBatch(https)
    expect(cookieParts(answer)).toEqual([...attributes, 'Secure', expect.stringMatching(/^__Host-svc_id=[\w.-]+$/)])
  })
})

describe('with a valid cookie', () => {
  test('every event is attributed to its device, and no cookie is set', async () => {
    const first = await sendBatch({})
    const second = await sendBatch({ cookie: cookieOf(first.answer) }, 3)
    expect(second.devices).toEqual(Array(3).fill(first.devices[0]))
    expect(setCookie(second.answer)).toBeNull()
  })

  test('over HTTPS likewise', async () => {
    const first = await sendBatch(https)
    const second = await sendBatch({ ...https, cookie: cookieOf(first.answer) })
    expect({ devices: second.devices, set: setCookie(second.answer) }).toEqual({ devices: first.devices, set: null })
  })

  test('it is found among others', async () => {
    const first = await sendBatch({})
    const second = await sendBatch({ cookie: `a=1; xsvc_id=2; ${cookieOf(first.answer)}; b="c"` })
    expect(second.devices).toEqual(first.devices)
  })

  test('it is found beside a worthless one of the same name', async () => {
    const first = await sendBatch({})
    const second = await sendBatch({ cookie: `svc_id=worthless; ${cookieOf(first.answer)}` })
    expect(second.devices).toEqual(first.devices)
  })
})

/** Ways to spoil a cookie `name=device.key.mac`. */
const forgeries: [what: string, forge: (cookie: string, foreign: string) => string][] = [
  ['of another device with this MAC', (cookie) => cookie.replace(/=[0-9a-f-]{36}/, `=${crypto.randomUUID()}`)],
  ['with another MAC', (cookie) => cookie.slice(0, -4) + (cookie.endsWith('AAAA') ? 'BBBB' : 'AAAA')],
  ['with a cut MAC', (cookie) => cookie.slice(0, -1)],
  ['without a MAC', (cookie) => cookie.slice(0, cookie.lastIndexOf('.') + 1)],
  ['with an unknown key id', (cookie) => cookie.replace(/\.[^.]+\./, '.zzzzzz.')],
  ['that is a bare device id', () => `svc_id=${crypto.randomUUID()}`],
  ["that is another account's", (_cookie, foreign) => foreign],
  ['in capitals', (cookie) => `svc_id=${cookie.slice('svc_id='.length).toUpperCase()}`],
  ['that is empty', () => 'svc_id='],
  ['that is very long', (cookie) => cookie + 'A'.repeat(4000)],
  ['under the name that belongs to HTTPS', (cookie) => `__Host-${cookie}`],
]

describe('a cookie', () => {
  test.each(forgeries)('%s is none: a device is minted and a new cookie set', async (_what, forge) => {
    const genuine = await sendBatch({})
    const foreign = cookieOf(await box.send(eventRequest({ account: 'other' })))
    const { answer, devices } = await sendBatch({ cookie: forge(cookieOf(genuine.answer), foreign) })
    expect(devices).not.toEqual(genuine.devices)
    expect(cookieOf(answer)).toStartWith(`svc_id=${devices[0]}.`)
  })

  test('of plain HTTP is none over HTTPS, where a neighbouring site could have planted it', async () => {
    const genuine = await sendBatch({})
    const { devices } = await sendBatch({ ...https, cookie: cookieOf(genuine.answer) })
    expect(devices).not.toEqual(genuine.devices)
  })

  test.each([
    ['a refused origin', { headers: { origin: 'https://evil.test' } }],
    ['a wrong key', { headers: { 'x-svc-site-key': 'x' } }],
    ['missing consent', { headers: { 'x-svc-consent': null } }],
    ['malformed events', { body: '{}' }],
  ])('is not set on a batch that is refused for %s', async (_what, overrides) => {
    const answer = await box.send(eventRequest(overrides))
    expect({ isRefused: answer.status >= 400, cookie: setCookie(answer) }).toEqual({ isRefused: true, cookie: null })
  })
})

describe('form capture', () => {
  test('never sets the cookie', async () => {
    expect(setCookie(await box.send(formRequest()))).toBeNull()
  })

  test('stores the device of a valid cookie', async () => {
    const { answer, devices } = await sendBatch({})
    const id = submissionIdOf(await box.send(formRequest({ headers: { cookie: cookieOf(answer) } })))
    const stored = (await box.submissions()).find(({ submissionId }) => submissionId === id)
    expect(stored?.deviceId).toBe(devices[0] ?? 'none')
  })

  test.each(forgeries)('stores no device of a cookie %s', async (_what, forge) => {
    const genuine = cookieOf(await box.send(eventRequest()))
    const foreign = cookieOf(await box.send(eventRequest({ account: 'other' })))
    const id = submissionIdOf(await box.send(formRequest({ headers: { cookie: forge(genuine, foreign) } })))
    const stored = (await box.submissions()).find(({ submissionId }) => submissionId === id)
    expect(stored?.deviceId).toBeNull()
  })
})

// Spec, "States and transitions": every row of its table, and each way from one state to the other on a running box.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { aForm, aSite, trackingKeyOf } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { eventRequest, formRequest } from '../harness/capture-requests.ts'
import { eventually } from '../harness/eventually.ts'
import { jsonOf, refusalOf } from '../harness/http.ts'

const unregistered = aForm({ id: 'draft001', registered: false })
const changing = (registered: boolean) => aSite({ account: 'changing', forms: [aForm({ registered })] })
const switching = (enabled: boolean) =>
  aSite({ account: 'switching', tracking: { key: trackingKeyOf('switching'), enabled } })

let box: Box

beforeAll(async () => {
  const off = { key: trackingKeyOf('silent'), enabled: false }
  box = await Box.start([
    aSite({ forms: [aForm(), unregistered] }),
    aSite({ account: 'silent', tracking: off }),
    aSite({ account: 'revoking' }),
    aSite({ account: 'rotating' }),
    aSite({ account: 'overlap' }),
    changing(true),
    switching(true),
  ])
}, boxStartMsMax)

afterAll(() => box.stop())

const formStatus = async (account: string) => (await box.send(formRequest({ account }))).status
const eventStatus = async (account: string) => (await box.send(eventRequest({ account }))).status

async function configuration(account: string, ids: string) {
  return jsonOf(await box.send({ ...formRequest({ account }), method: 'GET', path: `/_svc/rc?f=${ids}`, body: null }))
}

describe('a form', () => {
  test('that is registered takes submissions', async () => {
    expect(await formStatus('acme')).toBe(200)
  })

  test.each([
    ['not registered', 'draft001'],
    ['unknown', 'unknown1'],
    ['written in capitals', 'CONTACT1'],
    ['named by more than its id', 'contact1x'],
    ['named by less than its id', 'contact'],
    ['named as a property of every object', '__proto__'],
  ])('that is %s answers 404 unknown_source', async (_what, form) => {
    expect(refusalOf(await box.send(formRequest({ form })))).toEqual({ status: 404, code: 'unknown_source' })
  })

  test('that is not registered answers as one that does not exist', async () => {
    const [draft, unknown] = [formRequest({ form: 'draft001' }), formRequest({ form: 'unknown1' })]
    expect((await box.send(draft)).text).toBe((await box.send(unknown)).text)
  })

  test('is reported by the runtime configuration as what it is', async () => {
    expect((await configuration('acme', 'contact1,draft001,unknown1')).forms).toMatchObject({
      contact1: { registered: true },
      draft001: { registered: false },
      unknown1: { registered: false },
    })
  })

  test('becomes not registered, and registered again, within a second of an apply', async () => {
    expect(await formStatus('changing')).toBe(200)
    await box.apply(changing(false))
    await eventually('the form is not registered', async () => (await formStatus('changing')) === 404)
    await box.apply(changing(true))
    await eventually('the form is registered', async () => (await formStatus('changing')) === 200)
  })
})

describe('tracking', () => {
  test('that is enabled takes events', async () => {
    expect(await eventStatus('acme')).toBe(202)
  })

  test('that is disabled refuses every event with unknown_source 403', async () => {
    expect(refusalOf(await box.send(eventRequest({ account: 'silent' })))).toEqual({
      status: 403,
      code: 'unknown_source',
    })
  })

  test('that is disabled leaves forms alone', async () => {
    expect(await formStatus('silent')).toBe(200)
  })

  test('is reported by the runtime configuration', async () => {
    const enabled = [(await configuration('acme', '')).tracking, (await configuration('silent', '')).tracking]
    expect(enabled).toMatchObject([{ enabled: true }, { enabled: false }])
  })

  test('is disabled, and enabled again, within a second of an apply', async () => {
    expect(await eventStatus('switching')).toBe(202)
    await box.apply(switching(false))
    await eventually('tracking is disabled', async () => (await eventStatus('switching')) === 403)
    await box.apply(switching(true))
    await eventually('tracking is enabled', async () => (await eventStatus('switching')) === 202)
  })
})

describe('a tracking key', () => {
  test.each([
    ['another key', `svc_tk_${'z'.repeat(32)}`],
    ['no key', null],
    ['an empty key', ''],
    ['its beginning', trackingKeyOf('acme').slice(0, -1)],
    ['more than the key', `${trackingKeyOf('acme')}x`],
    ['the key without its prefix', trackingKeyOf('acme').slice('svc_tk_'.length)],
    ['the key in capitals', trackingKeyOf('acme').toUpperCase()],
    ['the key twice', `${trackingKeyOf('acme')}, ${trackingKeyOf('acme')}`],
    ['its fingerprint', new Bun.CryptoHasher('sha256').update(trackingKeyOf('acme')).digest('hex')],
  ])('is the only one that is taken: %s is refused', async (_what, key) => {
    const answer = await box.send(eventRequest({ headers: { 'x-svc-site-key': key } }))
    expect(refusalOf(answer)).toEqual({ status: 403, code: 'unknown_source' })
  })

  test('that is revoked is refused within a second, and kept', async () => {
    expect(await eventStatus('revoking')).toBe(202)
    expect(await box.run(['key', 'revoke', 'revoking'])).toMatchObject({ status: 0 })
    await eventually('the key is refused', async () => (await eventStatus('revoking')) === 403)
    expect(await formStatus('revoking')).toBe(200)
  })

  test('that is rotated is refused within a second, and the new one is taken', async () => {
    const fresh = await rotated('rotating', [])
    await eventually('the old key is refused', async () => (await eventStatus('rotating')) === 403)
    expect(await statusWithKey('rotating', fresh)).toBe(202)
  })

  test('that is rotated with an overlap is taken beside the new one', async () => {
    const fresh = await rotated('overlap', ['--overlap', '7d'])
    await eventually('the new key is taken', async () => (await statusWithKey('overlap', fresh)) === 202)
    expect(await eventStatus('overlap')).toBe(202)
  })
})

async function rotated(account: string, options: string[]): Promise<string> {
  const { stdout, stderr } = await box.run(['key', 'rotate', account, ...options])
  const [key] = stdout.match(/svc_tk_[A-Za-z0-9]{32}/) ?? []
  if (key === undefined) throw new Error(`no key was printed: ${stdout} ${stderr}`)
  return key
}

const statusWithKey = async (account: string, key: string) =>
  (await box.send(eventRequest({ account, headers: { 'x-svc-site-key': key } }))).status

// docs/identity.md: who a person is, whose a record is, and where a person came from.
import { describe, expect, test } from 'bun:test'
import type { Entry } from '../../../src/ledger/entry.ts'
import type { JsonObject } from '../../../src/lib/json-value.ts'
import { parseLosslessText } from '../../../src/lib/lossless-json.ts'
import { click, pageView, submission, trackedEvent } from '../../report/sample-entries.ts'
import { ProcessedBox } from './processed-box.ts'

const [ada, bob] = ['ada@acme.example', 'bob@acme.example']

const identify = (traits: JsonObject, overrides: Partial<Entry & { kind: 'event' }> = {}): Entry =>
  trackedEvent({ event: '$identify', traits, attribution: {}, ...overrides })
const sent = (email: string | null, overrides: Partial<Entry & { kind: 'submission' }> = {}): Entry =>
  submission({ email, ...overrides })
const seen = (overrides: Partial<Entry & { kind: 'event' }> = {}): Entry =>
  trackedEvent({ attribution: {}, ...overrides })
const viewed = (source: string | null, overrides: Partial<Entry & { kind: 'page_view' }> = {}): Entry =>
  pageView({ attribution: source === null ? {} : { utm_source: source }, ...overrides })

/** The entries in order of receipt, a second apart, with ids `1`, `2`, … */
const inOrder = (...entries: Entry[]): Entry[] =>
  entries.map((entry, index) => ({ ...entry, id: String(index + 1), receivedAt: Date.UTC(2026, 10, 20, 9, 0, index) }))

function boxOf(...entries: Entry[]): ProcessedBox {
  const box = new ProcessedBox()
  box.addAccount('account-a')
  box.addAccount('account-b')
  box.capture(...inOrder(...entries))
  return box
}

const allKinds = ['submission', 'event', 'page_view', 'click'] as const

/** The ids of the records that are each person's. */
async function belongings(box: ProcessedBox): Promise<Record<string, string[]>> {
  const persons = await box.personsOf('account-a')
  const owned = persons.map(async ({ email }) => [email, await box.recordIds(email, [...allKinds])] as const)
  return Object.fromEntries(await Promise.all(owned))
}

describe('a person', () => {
  test('has their device’s earlier and later records', async () => {
    await using box = boxOf(viewed(null), seen(), sent(ada), click(), seen())
    expect(await belongings(box)).toEqual({ [ada]: ['1', '2', '3', '4', '5'] })
  })

  test('is known by an $identify event with an address, as by a submission', async () => {
    await using box = boxOf(viewed(null), identify({ email: ' Ada@ACME.example ' }), seen())
    expect(await belongings(box)).toEqual({ [ada]: ['1', '2', '3'] })
  })

  test('keeps what a device recorded before it was tied to somebody else, who has what comes then', async () => {
    await using box = boxOf(seen(), sent(ada), seen(), sent(bob), seen(), sent(ada), seen())
    expect(await belongings(box)).toEqual({ [ada]: ['1', '2', '3', '6', '7'], [bob]: ['4', '5'] })
  })

  test('is known without a device, from a server', async () => {
    await using box = boxOf(sent(ada, { deviceId: null }), seen())
    expect(await belongings(box)).toEqual({ [ada]: ['1'] })
    expect(await box.person(ada)).toMatchObject({ deviceIds: [], first: null, last: null, submissions: 1, events: 0 })
  })

  test('has all their devices, in the order in which they were tied to them', async () => {
    await using box = boxOf(
      seen({ deviceId: 'phone' }),
      sent(ada, { deviceId: 'laptop' }),
      identify({ email: ada }, { deviceId: 'phone' }),
      sent(ada, { deviceId: 'laptop' }),
    )
    expect(await box.person(ada)).toMatchObject({ deviceIds: ['laptop', 'phone'], submissions: 2, events: 2 })
  })

  test('is somebody else in another account, with another id', async () => {
    await using box = boxOf(sent(ada), sent(ada, { accountId: 'account-b' }), seen({ accountId: 'account-b' }))
    expect(await box.person(ada)).toMatchObject({ submissions: 1, events: 0 })
    expect(await box.person(ada, 'account-b')).toMatchObject({ submissions: 1, events: 1 })
    expect((await box.person(ada)).id).not.toBe((await box.person(ada, 'account-b')).id)
    expect(await box.recordIds(ada, [...allKinds], 'account-b')).toEqual(['2', '3'])
  })

  test.each([
    ['a click', click({ recipient: ada })],
    ['an event of another name', seen({ traits: { email: ada } })],
    ['an $identify event without an address', identify({ email: 'nobody', name: 'Ada' })],
    ['a refused submission', sent(ada, { status: 'refused', refusedFor: 'honeypot' })],
    ['a submission of the test page', sent(ada, { test: true })],
    ['an $identify event of the test page', identify({ email: ada }, { test: true })],
    ['a submission without an address', sent(null)],
  ])('is not made known by %s', async (_what, entry) => {
    await using box = boxOf(entry)
    expect(await belongings(box)).toEqual({})
  })

  test('has their device’s submissions without an address, and none that were refused or are of the test page', async () => {
    const refused = { status: 'refused', refusedFor: 'bot_check' } as const
    await using box = boxOf(sent(null), sent(ada), sent(null), sent(ada, refused), sent(ada, { test: true }))
    expect(await belongings(box)).toEqual({ [ada]: ['1', '2', '3'] })
    expect(await box.person(ada)).toMatchObject({ submissions: 3, lastSeenAt: Date.UTC(2026, 10, 20, 9, 0, 2) })
  })

  test('has nothing of a device whose earlier owner was erased, before they were tied to it', async () => {
    await using box = boxOf(sent(ada), seen(), sent(bob), seen())
    box.run('UPDATE device_tie SET person_row = 0 WHERE entry_id = ?', '1')
    expect((await belongings(box))[bob]).toEqual(['3', '4'])
    expect((await box.found())['2']?.personId).toBeNull()
  })
})

describe('traits', () => {
  test('are those said last, one by one', async () => {
    await using box = boxOf(
      identify({ email: ada, name: 'Ada', plan: 'free' }),
      identify({ email: ada, plan: 'pro' }, { deviceId: 'other' }),
    )
    expect((await box.person(ada)).traits).toEqual({ email: ada, name: 'Ada', plan: 'pro' })
  })

  test('said without an address are those of whoever the device belongs to, then or later', async () => {
    await using box = boxOf(
      identify({ name: 'Ada' }),
      sent(ada),
      identify({ plan: 'pro' }),
      sent(bob),
      identify({ plan: 'x' }),
    )
    expect((await box.person(ada)).traits).toEqual({ name: 'Ada', plan: 'pro' })
    expect((await box.person(bob)).traits).toEqual({ plan: 'x' })
  })

  test('of events with another name are of the event alone', async () => {
    await using box = boxOf(sent(ada), seen({ traits: { plan: 'pro' } }))
    expect((await box.person(ada)).traits).toEqual({})
  })

  test.each([
    ['with an address', { email: ada }],
    ['without one', {}],
  ])('keep their digits and names, %s', async (_how, named) => {
    const said = parseLosslessText('{"amount":12345678901234567890,"rate":1.0,"__proto__":{"a":1}}') as JsonObject
    await using box = boxOf(
      sent(ada),
      identify(Object.fromEntries([...Object.entries(said), ...Object.entries(named)])),
    )
    const { email: _email, ...traits } = (await box.person(ada)).traits
    expect(JSON.stringify(traits)).toBe('{"__proto__":{"a":1},"amount":12345678901234567890,"rate":1.0}')
  })
})

describe('first and last touch of a person', () => {
  test('are those of all their devices', async () => {
    await using box = boxOf(
      viewed('google', { deviceId: 'laptop' }),
      viewed('newsletter', { deviceId: 'phone' }),
      sent(ada, { deviceId: 'laptop' }),
      sent(ada, { deviceId: 'phone' }),
      viewed(null, { deviceId: 'phone' }),
    )
    expect(await box.person(ada)).toMatchObject({ first: { source: 'google' }, last: { source: 'newsletter' } })
  })

  test('are the same direct one for somebody who only ever came directly', async () => {
    await using box = boxOf(viewed(null), sent(ada), viewed(null))
    const { first, last } = await box.person(ada)
    expect(first).toMatchObject({ source: 'direct', at: '2026-11-20T09:00:00.000Z' })
    expect(last).toEqual(first)
  })

  test('count what brought somebody to the device that was another’s until they told their address', async () => {
    await using box = boxOf(viewed('google'), sent(ada), viewed('newsletter'), sent(bob))
    expect(await box.person(bob)).toMatchObject({ first: { source: 'newsletter' }, last: { source: 'newsletter' } })
    expect(await box.person(ada)).toMatchObject({ first: { source: 'google' }, last: { source: 'newsletter' } })
  })

  test('do not count what the device’s next owner was brought by', async () => {
    await using box = boxOf(viewed('google'), sent(ada), sent(bob), viewed('newsletter'))
    expect(await box.person(ada)).toMatchObject({ first: { source: 'google' }, last: { source: 'google' } })
    expect(await box.person(bob)).toMatchObject({ first: { source: 'google' }, last: { source: 'newsletter' } })
  })
})

describe('what is found of a record', () => {
  test('is its person, also where that became known later', async () => {
    await using box = boxOf(viewed(null), sent(null), sent(ada), click(), seen({ deviceId: 'other' }))
    const { id } = await box.person(ada)
    const owners = Object.values(await box.found()).map(({ personId }) => personId)
    expect(owners).toEqual([id, id, id, id, null])
  })

  test('is nobody where the test page sent it or it was refused', async () => {
    await using box = boxOf(
      sent(ada),
      seen({ test: true }),
      sent(ada, { test: true }),
      sent(ada, { status: 'refused' }),
    )
    const { '1': first, ...others } = await box.found()
    expect(first?.personId).toBe((await box.person(ada)).id)
    expect(Object.values(others).map(({ personId }) => personId)).toEqual([null, null, null])
  })

  test('is first and last touch, the page and the earlier submission that it repeats', async () => {
    await using box = boxOf(viewed('google'), viewed('newsletter'), sent(ada), sent(ada))
    const found = await box.found()
    expect(found['3']?.submission).toMatchObject({
      first: { source: 'google' },
      last: { source: 'newsletter' },
      duplicateOf: null,
      page: { slug: 'launch', sha256: 'ab'.repeat(32) },
      isReleased: false,
    })
    expect(found['4']?.submission?.duplicateOf).toBe('3')
    expect(found['1']?.submission).toBeNull()
  })

  test('is the verdict of today', async () => {
    await using box = boxOf(click({ verdict: 'suspected', reasons: ['fast'] }))
    box.run(`UPDATE click_fact SET verdict = 'machine', reasons = '["burst"]'`)
    expect((await box.found())['1']?.click).toEqual({ verdict: 'machine', reasons: ['burst'] })
  })

  test('is nothing before it is processed', async () => {
    await using box = boxOf()
    box.store(inOrder(sent(ada), click()))
    expect(Object.values(await box.found())).toEqual([
      { personId: null, submission: null, event: null, click: null },
      { personId: null, submission: null, event: null, click: null },
    ])
  })
})

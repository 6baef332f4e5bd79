// docs/identity.md, "First and last touch": of a device, over a real database.
import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Hit } from '../../../src/processing/attribution/touch.ts'
import { touchOf } from '../../../src/processing/attribution/touch-of.ts'
import { Touches } from '../../../src/processing/attribution/touches.ts'
import type { DeviceKey } from '../../../src/processing/devices.ts'
import { noteTouch } from '../../../src/processing/process-entry.ts'
import { SqliteFoldStore } from '../../../src/storage/sqlite/processing/fold-store.ts'
import { click, pageView, source, trackedEvent } from '../../report/sample-entries.ts'
import { TemporaryDatabase } from '../../storage/sqlite/temporary-database.ts'
import { anAccount } from './an-account.ts'

let database: TemporaryDatabase
let store: SqliteFoldStore
let device: DeviceKey

beforeAll(() => {
  database = new TemporaryDatabase()
  store = new SqliteFoldStore(database.connect(), Number)
})

afterAll(() => database[Symbol.asyncDispose]())

beforeEach(() => {
  device = newDevice()
})

let devices = 0
const newDevice = () => ++devices as DeviceKey

/** Each record in a step of its own: what one step tells the next is in the database. */
function note(hit: Hit, by = device): boolean {
  const touches = new Touches(store.load)
  const isKept = noteTouch(hit, { account: anAccount, device: { key: by } }, { touches, touchOf })
  store.touches.keep(touches)
  return isKept
}

const view = (at: number, { id = `view-${at}`, utm_source }: { id?: string; utm_source?: string } = {}) =>
  pageView({ id, receivedAt: at, attribution: utm_source === undefined ? {} : { utm_source } })

/** First and last touch's sources, up to the record of that time and id. */
const sourcesUpTo = (at: number, id = '~', of = device) => {
  const { first, last } = new Touches(store.load).upTo(of, { at, id })
  return [first?.source ?? null, last?.source ?? null]
}

test('a device that nothing is known of has neither', () => {
  expect(sourcesUpTo(1)).toEqual([null, null])
})

test('the first touch is the earliest, the last one the latest', () => {
  for (const [index, name] of ['ads', 'mail', 'flyer'].entries()) note(view(index, { utm_source: name }))
  expect(sourcesUpTo(9)).toEqual(['ads', 'flyer'])
})

test('a later touch is not one of a record’s touches', () => {
  for (const [index, name] of ['ads', 'mail', 'flyer'].entries()) note(view(index, { utm_source: name }))
  expect(sourcesUpTo(1)).toEqual(['ads', 'mail'])
})

test('of one millisecond the ids decide, the record’s own included', () => {
  note(view(5, { id: 'b', utm_source: 'second' }))
  note(view(5, { id: 'a', utm_source: 'first' }))
  note(view(5, { id: 'c', utm_source: 'third' }))
  expect(sourcesUpTo(5, 'b')).toEqual(['first', 'second'])
  expect(sourcesUpTo(5, '')).toEqual([null, null])
})

test('an earlier touch is one of an earlier millisecond, or of a smaller id within it', () => {
  note(view(5, { id: 'b', utm_source: 'ads' }))
  const hasEarlier = (at: number, id: string) => new Touches(store.load).hasEarlier(device, { at, id })
  expect([hasEarlier(4, 'z'), hasEarlier(5, 'a'), hasEarlier(5, 'b')]).toEqual([false, false, false])
  expect([hasEarlier(5, 'c'), hasEarlier(6, 'a')]).toEqual([true, true])
  expect(new Touches(store.load).hasEarlier(newDevice(), { at: 6, id: 'a' })).toBe(false)
})

test('a direct visit is the first touch and the last, until something tells', () => {
  note(view(1))
  expect(sourcesUpTo(2)).toEqual(['direct', 'direct'])
  note(view(3, { utm_source: 'ads' }))
  expect(sourcesUpTo(3)).toEqual(['direct', 'ads'])
})

test('a direct visit after another touch says nothing', () => {
  note(view(1, { utm_source: 'ads' }))
  note(view(2))
  expect(sourcesUpTo(3)).toEqual(['ads', 'ads'])
})

test('a record that is seen twice changes nothing twice', () => {
  const before = [view(1), view(2, { utm_source: 'ads' })]
  for (const hit of [...before, ...before]) note(hit)
  expect(sourcesUpTo(3)).toEqual(['direct', 'ads'])
})

test('touches of one device do not appear on another', () => {
  note(view(1, { utm_source: 'ads' }))
  expect(sourcesUpTo(2, '~', newDevice())).toEqual([null, null])
})

test('a touch reads back as it was written', () => {
  const hit = click({
    receivedAt: 7,
    attribution: { utm_source: "o'hara\u0000", utm_term: '=1+1', gclid: 'Abc' },
    verdict: 'human',
  })
  note(hit)
  expect(new Touches(store.load).upTo(device, { at: 7, id: hit.id }).last).toEqual({
    at: '1970-01-01T00:00:00.007Z',
    via: 'click',
    source: "o'hara\u0000",
    medium: 'email',
    campaign: 'november',
    term: '=1+1',
    content: null,
    clickIds: { gclid: 'Abc' },
    referrer: null,
    url: 'https://go.acme.example/launch',
  })
})

test('first and last touch do not depend on the order in which records were committed', () => {
  const at = fc.nat({ max: 5 })
  const hit: fc.Arbitrary<(id: string) => Hit> = fc.oneof(
    fc.tuple(at, fc.constantFrom(undefined, 'ads', 'mail')).map(
      ([receivedAt, utm_source]) =>
        (id: string) =>
          view(receivedAt, utm_source === undefined ? { id } : { id, utm_source }),
    ),
    at.map((receivedAt) => (id: string) => click({ id, receivedAt, verdict: 'suspected' })),
    at.map(
      (receivedAt) => (id: string) =>
        trackedEvent({
          id,
          receivedAt,
          event: '$pageview',
          attribution: {},
          source: { ...source, referer: 'https://x.com/' },
        }),
    ),
  )
  const inTwoOrders = fc
    .uniqueArray(fc.string({ minLength: 1, maxLength: 2 }), { maxLength: 8 })
    .chain((ids) => fc.tuple(...ids.map((id) => hit.map((make) => make(id)))))
    .chain((hits) => fc.tuple(fc.constant(hits), fc.shuffledSubarray(hits, { minLength: hits.length })))

  fc.assert(
    fc.property(inTwoOrders, ([hits, shuffled]) => {
      const one = newDevice()
      const other = newDevice()
      for (const told of hits) note(told, one)
      for (const told of shuffled) note(told, other)
      for (const { receivedAt, id } of hits) {
        const receipt = { at: receivedAt, id }
        const upTo = new Touches(store.load).upTo(one, receipt)
        expect(new Touches(store.load).upTo(other, receipt)).toEqual(upTo)
        if (upTo.first && upTo.last) expect(upTo.first.at <= upTo.last.at).toBe(true)
      }
    }),
    { numRuns: 60 },
  )
})

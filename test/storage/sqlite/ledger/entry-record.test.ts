// What is read back is an entry of its kind or nothing: JSON that is no record of it is not taken for one.
import { describe, expect, test } from 'bun:test'
import type { Entry } from '../../../../src/ledger/entry.ts'
import { UnreadableEntry } from '../../../../src/ledger/ledger.ts'
import type { JsonObject } from '../../../../src/lib/json-value.ts'
import {
  decodeEntry,
  type EntryRow,
  encodeEntries,
  entryKinds,
  splitEntries,
} from '../../../../src/storage/sqlite/ledger/ledger-codec.ts'
import { click, pageView, submission, trackedEvent } from '../../../report/sample-entries.ts'

const accountId = 'account-a'
const nobody = { ip: null, userAgent: null, origin: null, referer: null }

/** Entries of each kind: with every field that may be `null` filled, and with as little as there may be. */
const samples: Record<Entry['kind'], [full: Entry, bare: Entry]> = {
  submission: [
    submission({ refusedFor: 'honeypot', botCheck: { required: true, provider: 'altcha', verified: false } }),
    submission({ email: null, deviceId: null, consentTextId: null, honeypot: null, fields: {} }),
  ],
  event: [trackedEvent({ traits: { email: 'ada@acme.example' } }), trackedEvent({ properties: {}, attribution: {} })],
  page_view: [pageView({ attribution: { utm_source: 'mail' } }), pageView()],
  click: [click({ attribution: { utm_source: 'mail' } }), click({ message: null, recipient: null, reasons: [] })],
}
const kinds = Object.keys(samples) as Entry['kind'][]

/** May hold whatever was sent. */
const anything = new Set(['fields', 'properties', 'traits'])

function rowOf(entry: Entry): EntryRow {
  const [row] = splitEntries(encodeEntries([entry])[0] ?? '')
  if (row === undefined) throw new Error('nothing was encoded')
  return row
}

const recordOf = (entry: Entry): JsonObject => JSON.parse(rowOf(entry).record)

/** Each record that comes of replacing one field of it, or of an object of ours in it, by what cannot stand there. */
function* faulty(record: JsonObject, path = ''): Generator<[place: string, record: JsonObject]> {
  for (const [name, value] of Object.entries(record)) {
    const place = `${path}${name}`
    const { [name]: _taken, ...without } = record
    if (place === 'honeypot.value') continue
    if (!/^attribution\.|^evidence\.headers\./.test(place)) yield [`${place} missing`, without]
    yield [`${place} a number that no double holds`, { ...record, [name]: JSON.rawJSON('1e400') }]
    yield [`${place} a list of numbers`, { ...record, [name]: [5] }]
    if (typeof value !== 'object' || value === null || Array.isArray(value) || anything.has(place)) continue
    for (const [inner, changed] of faulty(value, `${place}.`)) yield [inner, { ...record, [name]: changed }]
  }
}

describe.each(kinds)('a record of kind %s', (kind) => {
  const [full, bare] = samples[kind]
  const withRecord = (record: string) => () => decodeEntry({ ...rowOf(full), record, checksum: null }, accountId)

  test('is read as it was written', () => {
    for (const entry of [{ ...full, test: true }, bare, { ...bare, source: { ...bare.source, ...nobody } }])
      expect(decodeEntry(rowOf(entry), accountId)).toEqual(entry)
  })

  test.each(['null', '[]', '{}', '"text"', '7', '1e400', 'true', '{"test":true}', '{', ''])('is not %s', (record) => {
    expect(withRecord(record)).toThrow(UnreadableEntry)
  })

  test.each([...faulty(recordOf(full))])('is none with %s', (_place, record) => {
    expect(withRecord(JSON.stringify(record))).toThrow(UnreadableEntry)
  })

  test.each(kinds.filter((other) => other !== kind))('is not one of kind %s', (other) => {
    expect(withRecord(JSON.stringify(recordOf(samples[other][0])))).toThrow(UnreadableEntry)
  })
})

test('a record of an unknown kind is none', () => {
  expect(() => decodeEntry({ ...rowOf(pageView()), kind: 99, checksum: null }, accountId)).toThrow(UnreadableEntry)
  expect(Object.values(entryKinds)).not.toContain(99)
})

test('a record may hold whatever was sent', () => {
  const odd = '{"__proto__":{"a":[null]},"test":"x","source":1e400,"":[[]]}'
  const { fields, ...record } = recordOf(submission())
  const text = `${JSON.stringify(record).slice(0, -1)},"fields":${odd}}`
  const entry = decodeEntry({ ...rowOf(submission()), record: text, checksum: null }, accountId)
  expect(JSON.stringify(entry.kind === 'submission' && entry.fields)).toBe(odd)
  expect(fields).toBeDefined()
})

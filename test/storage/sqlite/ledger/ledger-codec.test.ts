// What is read back is the entry that was captured, or nothing. The checksum beside each record never changes.
import { describe, expect, test } from 'bun:test'
import { crc32 } from 'node:zlib'
import type { Entry } from '../../../../src/ledger/entry.ts'
import { UnreadableEntry } from '../../../../src/ledger/ledger.ts'
import {
  decodeEntry,
  type EncodedEntry,
  encodeEntries,
  splitEntries,
} from '../../../../src/storage/sqlite/ledger/ledger-codec.ts'
import { click, pageView, submission, trackedEvent } from '../../../report/sample-entries.ts'

function rowOf(entry: Entry): EncodedEntry {
  const [row] = splitEntries(encodeEntries([entry])[0] ?? '')
  if (row === undefined) throw new Error('nothing was encoded')
  return row
}

const nobody = { ip: null, userAgent: null, origin: null, referer: null }

/** With every field that may be `null` filled, and with as little as there may be. */
test.each<Entry>([
  submission({ refusedFor: 'honeypot', botCheck: { required: true, provider: 'altcha', verified: false } }),
  submission({ email: null, deviceId: null, consentTextId: null, honeypot: null, fields: {} }),
  trackedEvent({ traits: { email: 'ada@acme.example' }, test: true }),
  trackedEvent({ properties: {}, attribution: {} }),
  pageView({ attribution: { utm_source: 'mail' } }),
  pageView({ source: { ...pageView().source, ...nobody } }),
  click({ attribution: { utm_source: 'mail' } }),
  click({ message: null, recipient: null, reasons: [] }),
])('an entry is read as it was written', (entry) => {
  expect(decodeEntry(rowOf(entry), entry.accountId)).toEqual(entry)
})

test('a record may hold whatever was sent, in the digits in which it was sent', () => {
  const fields = { ['__proto__']: { a: [null] }, test: 'x', source: JSON.rawJSON('1e400'), '': [[]] }
  const sent = submission({ fields: fields as unknown as Record<string, string> })
  const entry = decodeEntry(rowOf(sent), sent.accountId)
  expect(JSON.stringify(entry.kind === 'submission' && entry.fields)).toBe(
    '{"__proto__":{"a":[null]},"test":"x","source":1e400,"":[[]]}',
  )
})

describe('the checksum', () => {
  const event = trackedEvent({ properties: { name: 'Jürgen ☃ 🦉' } })
  const row = rowOf(event)
  const read =
    (changed: Partial<EncodedEntry>, accountId = event.accountId) =>
    () =>
      decodeEntry({ ...row, ...changed }, accountId)

  test('is the CRC-32 of the line in UTF-8, as any tool makes it; what is on disk depends on it', () => {
    expect(row.checksum).toBe(crc32(Buffer.from(encodeEntries([event])[0] ?? '')))
    expect(row.checksum).toBe(1159200819)
  })

  test.each<[what: string, changed: Partial<EncodedEntry>]>([
    ['record', { record: row.record.replace('Jürgen', 'Jurgen') }],
    ['record that is no JSON', { record: row.record.slice(1) }],
    ['id', { id: 'event-2' }],
    ['kind', { kind: 3 }],
    ['time of receipt', { receivedAt: row.receivedAt + 1 }],
    ['checksum', { checksum: row.checksum ^ 1 }],
  ])('finds a changed %s', (_what, changed) => {
    expect(read(changed)).toThrow(UnreadableEntry)
  })

  test('finds a record under another account', () => {
    expect(read({}, 'account-b')).toThrow(UnreadableEntry)
  })
})

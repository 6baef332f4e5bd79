// The checksum beside each record of the ledger: what it covers, and that it never changes.
import { expect, test } from 'bun:test'
import { crc32 } from 'node:zlib'
import { UnreadableEntry } from '../../../../src/ledger/ledger.ts'
import { decodeEntry, encodeEntries, splitEntries } from '../../../../src/storage/sqlite/ledger/ledger-codec.ts'
import { trackedEvent } from '../../../report/sample-entries.ts'

const event = trackedEvent({ properties: { name: 'Jürgen ☃ 🦉' } })
const [line = ''] = encodeEntries([event])
const [row] = splitEntries(line)
if (row === undefined) throw new Error('nothing was encoded')

function faultOf(changed: Partial<typeof row>, accountId = event.accountId): string | null {
  try {
    decodeEntry({ ...row, ...changed } as NonNullable<typeof row>, accountId)
    return null
  } catch (error) {
    return error instanceof UnreadableEntry ? error.fault : String(error)
  }
}

test('is the CRC-32 of the line in UTF-8, as any tool makes it; what is on disk depends on it', () => {
  expect(row.checksum).toBe(crc32(Buffer.from(line)))
  expect(row.checksum).toBe(1159200819)
})

test.each([
  ['record', { record: row.record.replace('Jürgen', 'Jurgen') }],
  ['id', { id: 'event-2' }],
  ['time of receipt', { receivedAt: row.receivedAt + 1 }],
  ['checksum', { checksum: (row.checksum ?? 0) ^ 1 }],
])('finds a changed %s', (_what, changed) => {
  expect(faultOf(changed)).toBe('changed')
})

test('finds a record under another account', () => {
  expect(faultOf({}, 'account-b')).toBe('changed')
})

test('is not asked of a record from before there were any', () => {
  expect(faultOf({ record: row.record.replace('Jürgen', 'Jurgen'), checksum: null })).toBeNull()
})

test('leaves a record that is none to be called unreadable', () => {
  expect(faultOf({ record: row.record.slice(1) })).toBe('unreadable')
})

import { expect, test } from 'bun:test'
import { byteSize, plural, timestamp } from '../../src/lib/quantities.ts'

test.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [1023, '1,023 bytes'],
  [1024, '1 KB'],
  [8192, '8 KB'],
  [1_048_575, '1 MB'],
  [12_582_912, '12 MB'],
  [1_610_612_736, '1.5 GB'],
  [2 ** 50, '1024 TB'],
])('%d bytes are %s', (bytes, text) => expect(byteSize(bytes)).toBe(text))

test.each([
  [0, '0 entries'],
  [1, '1 entry'],
  [1234, '1,234 entries'],
])('%d of an entry are %s', (number, text) => expect(plural(number, 'entry', 'entries')).toBe(text))

test('an instant is told in UTC', () => {
  expect(timestamp(Date.UTC(2026, 10, 20, 14, 3, 22))).toBe('2026-11-20 14:03:22 UTC')
})

import { expect, test } from 'bun:test'
import { age, byteSize, duration, plural, timestamp } from '../../../src/cli/output/quantities.ts'

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
  [-5000, '0s'],
  [999, '0s'],
  [45_000, '45s'],
  [3_599_999, '59m'],
  [43_200_000, '12h'],
  [86_400_000 * 30, '30d'],
  [86_400_000 * 400, '1y'],
])('%d ms are an age of %s', (ms, text) => expect(age(ms)).toBe(text))

test.each([
  [340, '340 ms'],
  [1200, '1.2 s'],
  [59_949, '59.9 s'],
  [59_950, '1 min 0 s'],
  [125_000, '2 min 5 s'],
])('%d ms last %s', (ms, text) => expect(duration(ms)).toBe(text))

test.each([
  [0, '0 entries'],
  [1, '1 entry'],
  [1234, '1,234 entries'],
])('%d of an entry are %s', (number, text) => expect(plural(number, 'entry', 'entries')).toBe(text))

test('an instant is told in UTC', () => {
  expect(timestamp(Date.UTC(2026, 10, 20, 14, 3, 22))).toBe('2026-11-20 14:03:22 UTC')
})

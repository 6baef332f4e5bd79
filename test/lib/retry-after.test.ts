import { expect, test } from 'bun:test'
import { retryAfterMs } from '../../src/lib/exchange.ts'

const now = Date.parse('2026-11-22T06:00:00Z')

test.each([
  ['120', 120_000],
  [' 3 ', 3_000],
  ['Sun, 22 Nov 2026 06:05:00 GMT', 300_000],
  ['Sun, 22 Nov 2026 05:00:00 GMT', 0],
  ['99999999999999999999', 7 * 86_400_000],
  ['9'.repeat(101), null],
  ['999999999', 7 * 86_400_000],
  ['-5', null],
  ['soon', null],
  [null, null],
])('Retry-After: %p is %p ms', (header, ms) => {
  expect(retryAfterMs(header, now)).toBe(ms)
})

import { expect, test } from 'bun:test'
import { untilTime } from '../../src/console/page/values.ts'

const now = Date.UTC(2026, 10, 22, 9)

test.each([
  [10_000, 'in 1 min'],
  [4 * 60_000 + 20_000, 'in 4 min'],
  [61 * 60_000, 'in 61 min'],
  [100 * 60_000, 'in 2 h'],
  [140 * 60_000, 'in 2 h'],
  [25 * 3_600_000, 'in 25 h'],
  [47 * 3_600_000, 'in 2 d'],
])('an instant in %d ms is %s', (ms, text) => {
  expect(untilTime(now + ms, 'UTC', now).text).toContain(`>${text}<`)
})

test('its title is the local time', () => {
  expect(untilTime(now, 'Asia/Tokyo', now).text).toContain('title="22 Nov 2026, 18:00"')
})

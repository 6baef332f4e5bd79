import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { parseWallTime, WallClock } from '../../src/lib/local-time.ts'

const read = (text: string, timezone: string): string => {
  const wall = parseWallTime(text)
  if (wall === null) throw new Error(`${text} is no time`)
  return new Date(new WallClock(timezone).instantOf(wall)).toISOString()
}

describe('a time of the wall clock', () => {
  test.each([
    ['UTC', '2026-12-01 08:00', '2026-12-01T08:00:00.000Z'],
    ['Europe/Berlin', '2026-12-01 08:00', '2026-12-01T07:00:00.000Z'],
    ['Europe/Berlin', '2026-07-01 08:00:30', '2026-07-01T06:00:30.000Z'],
    ['Asia/Kathmandu', '2026-12-01 00:00', '2026-11-30T18:15:00.000Z'],
    ['Pacific/Kiritimati', '2026-12-01 08:00', '2026-11-30T18:00:00.000Z'],
    ['Pacific/Pago_Pago', '2026-12-01 23:30', '2026-12-02T10:30:00.000Z'],
    // Around the night in which the clocks go forward.
    ['Europe/Berlin', '2026-03-29 01:59', '2026-03-29T00:59:00.000Z'],
    ['Europe/Berlin', '2026-03-29 03:00', '2026-03-29T01:00:00.000Z'],
    ['Europe/Berlin', '2026-03-28 12:00', '2026-03-28T11:00:00.000Z'],
    ['Europe/Berlin', '2026-03-29 12:00', '2026-03-29T10:00:00.000Z'],
    // Around the night in which they go back.
    ['America/New_York', '2026-11-01 00:59', '2026-11-01T04:59:00.000Z'],
    ['America/New_York', '2026-11-01 02:00', '2026-11-01T07:00:00.000Z'],
    ['America/New_York', '2026-11-01 12:00', '2026-11-01T17:00:00.000Z'],
  ])('in %s, %s is %s', (timezone, text, instant) => {
    expect(read(text, timezone)).toBe(instant)
  })

  test.each([
    ['Europe/Berlin', '2026-03-29 02:30', '2026-03-29 03:30'],
    ['America/New_York', '2026-03-08 02:00', '2026-03-08 03:00'],
    ['Australia/Lord_Howe', '2026-10-04 02:15', '2026-10-04 02:45'],
    // The island skipped a day.
    ['Pacific/Apia', '2011-12-30 12:00', '2011-12-31 12:00'],
  ])('that %s skips, %s, is what its clocks show as %s', (timezone, skipped, shown) => {
    expect(new WallClock(timezone).textOf(Date.parse(read(skipped, timezone)))).toBe(shown)
  })

  test.each([
    ['Europe/Berlin', '2026-10-25 02:30', '2026-10-25T00:30:00.000Z'],
    ['America/New_York', '2026-11-01 01:00', '2026-11-01T05:00:00.000Z'],
    ['Australia/Lord_Howe', '2026-04-05 01:45', '2026-04-04T14:45:00.000Z'],
  ])('that comes twice in %s, %s, is the first', (timezone, text, instant) => {
    expect(read(text, timezone)).toBe(instant)
  })

  test('that is shown for an instant leads back to it, or to the first of two that show it', () => {
    const instants = fc
      .integer({ min: Date.UTC(1990, 0), max: Date.UTC(2050, 0) })
      .map((ms) => Math.floor(ms / 1000) * 1000)
    const timezones = [
      'UTC',
      'Europe/Berlin',
      'America/St_Johns',
      'Australia/Lord_Howe',
      'Pacific/Apia',
      'Africa/Casablanca',
    ]
    fc.assert(
      fc.property(instants, fc.constantFrom(...timezones), (instant, timezone) => {
        const clock = new WallClock(timezone)
        const text = clock.textOf(instant)
        const read = clock.instantOf(parseWallTime(text) ?? Number.NaN)
        expect(read).toBeLessThanOrEqual(instant)
        expect(clock.textOf(read)).toBe(text)
      }),
      { numRuns: 500 },
    )
  })

  test.each([
    ...[
      '2026-12-01',
      '2026-12-01T08:00',
      '2026-12-01 8:00',
      '2026-12-01 08:00Z',
      '2026-12-01 08:00 +01:00',
      '08:00',
      '',
    ],
    ...['2026-13-01 08:00', '2026-02-30 08:00', '2027-02-29 08:00', '2026-12-01 24:00', '2026-12-01 08:60', 'tomorrow'],
  ])('is not %s', (text) => {
    expect(parseWallTime(text)).toBeNull()
  })
})

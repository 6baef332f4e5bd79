import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { parseAge, parseInstant } from '../../src/lib/age.ts'

const hourMs = 3_600_000

describe('parseAge', () => {
  test.each([
    ['45s', 45_000],
    ['30m', 1_800_000],
    ['12h', 12 * hourMs],
    ['30d', 720 * hourMs],
    ['2w', 336 * hourMs],
    ['4y', 4 * 365.25 * 24 * hourMs],
    ['12mo', 365.25 * 24 * hourMs],
    [' 1h ', hourMs],
  ])('reads %p as %p milliseconds', (text, ms) => {
    expect(parseAge(text)).toBe(ms)
  })

  test.each(['', '0d', '-1d', '1.5h', '30', 'd', '30 d', '30D', '1h30m', '9999y', '99999999999s'])(
    'finds no age in %p',
    (text) => {
      expect(parseAge(text)).toBeNull()
    },
  )
})

describe('parseInstant', () => {
  const now = Date.UTC(2026, 10, 21, 12)

  test('takes an age as that long ago', () => {
    expect(parseInstant('12h', now)).toBe(now - 12 * hourMs)
  })

  test.each([
    ['2026-11-20', Date.UTC(2026, 10, 20)],
    ['2026-11-20T10:30', Date.UTC(2026, 10, 20, 10, 30)],
    ['2026-11-20T10:30:15Z', Date.UTC(2026, 10, 20, 10, 30, 15)],
    ['2026-11-20T10:30:15.123Z', Date.UTC(2026, 10, 20, 10, 30, 15, 123)],
    ['2026-11-20 10:30:15.123987654Z', Date.UTC(2026, 10, 20, 10, 30, 15, 123)],
    ['2026-11-20T10:30:00+02:00', Date.UTC(2026, 10, 20, 8, 30)],
    ['2026-11-20T10:30:00-0530', Date.UTC(2026, 10, 20, 16)],
    ['2024-02-29', Date.UTC(2024, 1, 29)],
  ])('reads %s', (text, instant) => {
    expect(parseInstant(text, now)).toBe(instant)
  })

  test.each([
    '',
    'yesterday',
    '2026-02-30',
    '2026-13-01',
    '2026-00-10',
    '2026-11-20T24:00',
    '2026-11-20T10:60',
    '2026-11-20Z',
    '0026-01-01',
    '20261120',
  ])('finds no instant in %p', (text) => {
    expect(parseInstant(text, now)).toBeNull()
  })

  test('reads back every instant that is written as ISO 8601', () => {
    const dates = fc.date({
      min: new Date('0100-01-01T00:00:00Z'),
      max: new Date('9999-12-31T23:59:59Z'),
      noInvalidDate: true,
    })
    fc.assert(fc.property(dates, (date) => expect(parseInstant(date.toISOString(), now)).toBe(date.getTime())))
  })
})

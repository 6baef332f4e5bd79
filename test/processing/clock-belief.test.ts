// Whether a clock follows from when it was last seen: what retention deletes by (docs/privacy.md).
import { describe, expect, test } from 'bun:test'
import { believe, type ClockReading } from '../../src/processing/retention.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const seen: ClockReading = { at: Date.UTC(2026, 10, 22), bootId: 'one start', uptimeMs: 5 * dayMs }

/** The clocks after so many milliseconds of uptime, with the wall clock so far from where it should be. */
const later = (passedMs: number, errorMs = 0): ClockReading => ({
  at: seen.at + passedMs + errorMs,
  bootId: seen.bootId,
  uptimeMs: (seen.uptimeMs ?? 0) + passedMs,
})
/** The same on a machine that was started again. */
const anew = (leadMs: number): ClockReading => ({ at: seen.at + leadMs, bootId: 'another start', uptimeMs: hourMs })

describe('within one start of the machine', () => {
  test.each([
    ['an hour later', later(hourMs), true],
    ['after the service was stopped for two years', later(730 * dayMs), true],
    ['set by a time server a few hours ahead', later(hourMs, 14 * hourMs), true],
    ['two days ahead', later(hourMs, 2 * dayMs), false],
    ['four years ahead', later(hourMs, 1461 * dayMs), false],
    ['two days behind', later(hourMs, -2 * dayMs), false],
  ])('a clock %s', (_, now, isBelieved) => {
    expect(believe(seen, now)).toMatchObject({ isBelieved, isExact: true })
  })

  test('what it should show is known', () => {
    expect(believe(seen, later(3 * hourMs, 40 * dayMs)).expectedAt).toBe(seen.at + 3 * hourMs)
  })
})

describe('on a machine that was started again', () => {
  test.each([
    ['an hour later', anew(hourMs), true],
    ['after a week without power', anew(7 * dayMs), true],
    ['after longer', anew(8 * dayMs), false],
    ['years ahead', anew(1461 * dayMs), false],
    ['hours behind', anew(-3 * hourMs), true],
    ['that begins in 1970 without a battery', { ...anew(0), at: 0 }, false],
  ])('a clock %s', (_, now, isBelieved) => {
    expect(believe(seen, now)).toMatchObject({ isBelieved, isExact: false })
  })
})

test('where nothing is known of uptime, a clock is taken as that of a machine started again', () => {
  const unknown = (at: number): ClockReading => ({ at, bootId: null, uptimeMs: null })
  expect(believe(unknown(seen.at), unknown(seen.at + 5 * dayMs))).toMatchObject({ isBelieved: true, isExact: false })
  expect(believe(unknown(seen.at), unknown(seen.at + 8 * dayMs))).toMatchObject({ isBelieved: false })
})

test('an uptime that goes back under the same start, as in a container, tells nothing', () => {
  expect(believe(seen, { ...later(2 * dayMs), uptimeMs: hourMs })).toMatchObject({ isBelieved: true, isExact: false })
})

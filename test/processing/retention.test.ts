// What a pass of retention should not find: it waits for the operator then (docs/privacy.md).
import { describe, expect, test } from 'bun:test'
import { isMost, unexpectedCutoffs } from '../../src/processing/retention.ts'

const dayMs = 86_400_000
const now = 5000 * dayMs
const terms = { submissionsDays: 1000, eventsDays: 400, refusedDays: 30 }

describe('unexpected is what is due', () => {
  test('and was due when the last pass came to its end', () => {
    expect(unexpectedCutoffs(terms, now, { at: now - dayMs, terms })).toEqual({
      submissions: 3999 * dayMs,
      events: 4599 * dayMs,
      refused: 4969 * dayMs,
    })
  })

  test('at all, before the first pass', () => {
    expect(unexpectedCutoffs(terms, now, null)).toEqual({
      submissions: 4000 * dayMs,
      events: 4600 * dayMs,
      refused: 4970 * dayMs,
    })
  })

  test('by the longer of two terms: what a shorter one makes due was announced', () => {
    const longer = { submissionsDays: null, eventsDays: 800, refusedDays: 10 }
    expect(unexpectedCutoffs(terms, now, { at: now, terms: longer })).toEqual({
      submissions: null,
      events: 4200 * dayMs,
      refused: 4970 * dayMs,
    })
  })
})

test.each([
  [9, 0, false],
  [10, 0, true],
  [10, 10, false],
  [11, 10, true],
  [1_000_000, 1_000_001, false],
])('of a class %p due and %p kept are most: %p', (due, kept, is) => {
  expect(isMost({ due, kept })).toBe(is)
})

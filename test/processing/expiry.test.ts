// Which records have expired, and where a search in order of commit may stop.
import { describe, expect, test } from 'bun:test'
import { areAllYoung, classOf, hasSubmissionExpired, type RetainedSubmission } from '../../src/processing/retention.ts'

const dayMs = 86_400_000
const cutoffs = { submissions: 100, events: 100, refused: 200 }
const submission = (of: Partial<RetainedSubmission>): RetainedSubmission => ({
  receivedAt: 150,
  status: 'accepted',
  isReleased: false,
  refusedAt: null,
  ...of,
})

describe('a submission', () => {
  test.each([
    ['that was refused goes by the term of refused ones', { status: 'refused' as const }, true],
    ['that was released is kept like an accepted one', { status: 'refused' as const, isReleased: true }, false],
    ['that an operator refused is kept from then on', { status: 'refused' as const, refusedAt: 200 }, false],
    [
      'that an operator refused expires by the term of refused ones',
      { status: 'refused' as const, refusedAt: 199 },
      true,
    ],
    ['that was accepted is kept by its own term', {}, false],
    ['of unknown status is kept like an accepted one', { status: null }, false],
    ['from before its term has expired', { receivedAt: 99 }, true],
    ['from the instant of the cutoff has not', { receivedAt: 100 }, false],
  ])('%s', (_, of, isExpired) => {
    expect(hasSubmissionExpired(submission(of), cutoffs)).toBe(isExpired)
  })

  test('never expires where they are kept for good', () => {
    expect(hasSubmissionExpired(submission({ receivedAt: 0 }), { ...cutoffs, submissions: null })).toBe(false)
  })

  test('counts in the class by which it is kept', () => {
    expect([classOf(submission({ status: 'refused' })), classOf(submission({}))]).toEqual(['refused', 'submissions'])
  })
})

describe('behind a page', () => {
  const received = (...times: number[]) => times.map((receivedAt) => ({ receivedAt }))
  const limits = { before: 1000, now: 5000 }

  test('of young records nothing has expired', () => {
    expect(areAllYoung(received(1000, 2000), limits)).toBe(true)
  })

  test('with an old one the search goes on', () => {
    expect(areAllYoung(received(999, 2000), limits)).toBe(false)
  })

  test('from a clock that was more than a day ahead the search goes on', () => {
    expect(areAllYoung(received(limits.now + dayMs + 1), limits)).toBe(false)
    expect(areAllYoung(received(limits.now + dayMs + 1, 2000), limits)).toBe(true)
  })
})

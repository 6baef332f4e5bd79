// What a person's expired records told of others' submissions goes with the person (docs/privacy.md).
import { describe, expect, test } from 'bun:test'
import { expiredOf, originWithout } from '../../../src/processing/forgetting/expired-origin.ts'
import { leadOrigin, touchAt } from './origins.ts'

const at = (time: number) => ({ at: time })

describe('which records that have expired were the person’s', () => {
  test('those of the times in which the device was theirs, up to where records have expired', () => {
    const isTheirs = expiredOf([{ from: at(10), until: at(20) }], { expiredAt: 15 })
    expect([9, 10, 15, 16].map((time) => isTheirs?.(time))).toEqual([false, true, true, false])
  })

  test('a time ends before the next tie, and one without a beginning reaches back for good', () => {
    const isTheirs = expiredOf([{ from: null, until: at(20) }], { expiredAt: 50 })
    expect([0, 19, 20].map((time) => isTheirs?.(time))).toEqual([true, true, false])
  })

  test('none, where nothing has expired or it had before the device was theirs', () => {
    expect(expiredOf([{ from: null, until: null }], { expiredAt: null })).toBeNull()
    expect(expiredOf([{ from: at(10), until: null }], { expiredAt: 9 })).toBeNull()
  })
})

describe('an origin without what erased records told', () => {
  const origin = leadOrigin({ first: 10, last: 20, page: 30 })
  const without = (...times: number[]) => originWithout(origin, (time) => times.includes(time))

  test('keeps what others told', () => {
    expect(without(5)).toEqual(origin)
  })

  test('loses each part that one of them told', () => {
    expect(without(10)).toEqual({ ...origin, first: null })
    expect(without(30)).toEqual({ ...origin, page: null })
  })

  test('has its first touch as the last one, where the last goes', () => {
    expect(without(20)).toEqual({ ...origin, last: touchAt(10) })
    expect(without(10, 20)).toMatchObject({ first: null, last: null })
  })
})

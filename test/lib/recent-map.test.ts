import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { RecentMap } from '../../src/lib/recent-map.ts'

describe('a bounded memory', () => {
  test('gives back what was put in last under a key', () => {
    const map = new RecentMap<number>(10)
    map.set('a', 1)
    map.set('a', 2)
    expect(map.get('a')).toBe(2)
  })

  test('knows nothing that was never put in', () => {
    expect(new RecentMap<number>(10).get('a')).toBeUndefined()
  })

  test('keeps what is asked for while others come and go', () => {
    const map = new RecentMap<number>(3)
    map.set('kept', 1)
    for (let i = 0; i < 50; i++) {
      map.set(`other ${i}`, i)
      expect(map.get('kept')).toBe(1)
    }
  })

  test('forgets what nobody asks for', () => {
    const map = new RecentMap<number>(3)
    map.set('forgotten', 1)
    for (let i = 0; i < 7; i++) map.set(`other ${i}`, i)
    expect(map.get('forgotten')).toBeUndefined()
  })

  test('never answers with another key’s value, and never knows more than twice its size', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(30)), (keys) => {
        const map = new RecentMap<number>(4)
        for (const key of keys) map.set(String(key), key)
        const known = [...new Set(keys)].map((key) => map.get(String(key))).filter((value) => value !== undefined)
        const wrong = [...new Set(keys)].filter((key) => ![key, undefined].includes(map.get(String(key))))
        expect(wrong).toEqual([])
        expect(known.length).toBeLessThanOrEqual(8)
      }),
    )
  })
})

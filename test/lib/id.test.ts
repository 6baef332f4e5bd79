import { describe, expect, test } from 'bun:test'
import { newKeyText, newShortId } from '../../src/lib/id.ts'

describe('random text', () => {
  test('is as long as asked for, of its alphabet', () => {
    expect(newKeyText(1000)).toMatch(/^[A-Za-z0-9]{1000}$/)
    expect(newShortId()).toMatch(/^[a-z0-9]{8}$/)
  })

  test('has no character more often than another', () => {
    const drawn = 200_000
    const times = new Map<string, number>()
    for (const character of newKeyText(drawn)) times.set(character, (times.get(character) ?? 0) + 1)
    const expected = drawn / 62
    // More than eight standard deviations; bytes that are all taken give eight of the characters 21 % more.
    const apart = [...times.values()].filter((count) => Math.abs(count / expected - 1) > 0.15)
    expect([times.size, apart]).toEqual([62, []])
  })
})

import { describe, expect, test } from 'bun:test'
import { derivedId, newKeyText, newShortId } from '../../src/lib/id.ts'

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

describe('a derived id', () => {
  const at = Date.UTC(2026, 10, 20)

  test('is the same for the same text and instant, and another for any other', () => {
    const ids = [derivedId(at, 'one'), derivedId(at, 'one'), derivedId(at, 'other'), derivedId(at + 1, 'one')]
    expect(new Set(ids).size).toBe(3)
    expect(ids[0]).toBe(ids[1])
  })

  test('is a UUIDv7 that begins with its instant', () => {
    const id = derivedId(at, 'one')
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(Number.parseInt(id.replace('-', '').slice(0, 12), 16)).toBe(at)
  })
})

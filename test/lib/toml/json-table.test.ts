import { describe, expect, test } from 'bun:test'
import { decodeToml, jsonTable } from '../../../src/lib/toml/decode.ts'
import { table } from '../../../src/lib/toml/shape.ts'

const decode = (text: string) => decodeToml(text, table({ free: jsonTable() }))

describe('jsonTable', () => {
  test('gives any table as JSON', () => {
    const text = '[free]\na = "x"\nb = [1, 2.5, [true]]\nc = { d = { e = -1 } }\n[[free.f]]\ng = 1'
    expect(decode(text).value?.free).toEqual({ a: 'x', b: [1, 2.5, [true]], c: { d: { e: -1 } }, f: [{ g: 1 }] })
  })

  test('keeps __proto__ as plain data', () => {
    const free = decode('[free]\n__proto__ = 1').value?.free
    expect(JSON.stringify(free)).toBe('{"__proto__":1}')
  })

  test.each([
    ['free.a = 1979-05-27', 'free.a', 'a date in quotes'],
    ['free.a = [nan]', 'free.a[0]', 'a number that JSON can hold'],
    ['free.a.b = inf', 'free.a.b', 'a number that JSON can hold'],
    ['free.a = 9007199254740993', 'free.a', 'a number that JSON can hold'],
    ['free = 1', 'free', 'a table'],
    ['', 'free', 'a table'],
  ])('refuses what JSON cannot hold: %s', (text, key, expected) => {
    expect(decode(text).faults).toEqual([expect.objectContaining({ key, message: expect.stringContaining(expected) })])
  })
})

import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { canonicalJson } from '../../src/lib/canonical-json.ts'
import type { JsonValue } from '../../src/lib/json-value.ts'
import { isJsonObject, parseLosslessText } from '../../src/lib/lossless-json.ts'

/** The same value with the members of each object the other way round. */
function turnedRound(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(turnedRound)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, turnedRound(member)]),
  )
}

const anyValue = fc.jsonValue().map((value) => parseLosslessText(JSON.stringify(value)))

test('canonical JSON is JSON of the same value', () => {
  fc.assert(
    fc.property(anyValue, (value) => {
      expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)))
    }),
  )
})

test('canonical JSON does not tell in which order members stood', () => {
  fc.assert(fc.property(anyValue, (value) => canonicalJson(turnedRound(value)) === canonicalJson(value)))
})

test('canonical JSON keeps the digits of numbers, the order of lists, and keys of every kind', () => {
  const text = '{"__proto__":1.0,"a":[2,1,12345678901234567890],"é":1e400}'
  expect(canonicalJson(parseLosslessText(text))).toBe(text)
})

import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { JsonObject } from '../../../src/lib/json-value.ts'
import {
  mergedTraits,
  plainTraits,
  type StampedTraits,
  traitCharactersMax,
  traitNameCharactersMax,
  traitsMax,
} from '../../../src/processing/person/persons.ts'

const noTraits: StampedTraits = new Map()

interface Statement {
  stated: JsonObject
  statedAt: { at: number; id: string }
}

const merged = (statements: Statement[]): JsonObject =>
  plainTraits(statements.reduce((known, { stated, statedAt }) => mergedTraits(known, stated, statedAt), noTraits))

/** More names than are kept, in statements that overlap. */
const manyStatements = fc.array(
  fc.record({
    stated: fc
      .array(fc.tuple(fc.integer({ min: 1, max: traitsMax * 2 }), fc.integer({ max: 9 })), { maxLength: traitsMax })
      .map((pairs) => Object.fromEntries(pairs.map(([name, value]) => [`trait ${name}`, value]))),
    statedAt: fc.record({ at: fc.integer({ min: 1, max: 5 }), id: fc.uuid() }),
  }),
  { maxLength: 8 },
)

describe('a person’s traits', () => {
  test('do not depend on the order of arrival, even if there are more than are kept', () =>
    fc.assert(
      fc.property(
        manyStatements.chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))),
        ([statements, shuffled]) => expect(merged(shuffled)).toEqual(merged(statements)),
      ),
    ))

  test('are those said last where there are too many', () => {
    const statements = Array.from({ length: traitsMax + 1 }, (_, at) => ({
      stated: { [`trait ${at}`]: at },
      statedAt: { at, id: 'a' },
    }))
    const names = Object.keys(merged(statements))
    expect(names.length).toBe(traitsMax)
    expect(names).not.toContain('trait 0')
  })

  test('are null where a value is too long, so that an earlier one does not stand for it', () => {
    const statements = [
      { stated: { bio: 'short' }, statedAt: { at: 1, id: 'a' } },
      { stated: { bio: 'x'.repeat(traitCharactersMax) }, statedAt: { at: 2, id: 'b' } },
    ]
    expect(merged(statements)).toEqual({ bio: null })
  })

  test('are left out where a name is too long', () => {
    const [kept, leftOut] = ['n'.repeat(traitNameCharactersMax), 'm'.repeat(traitNameCharactersMax + 1)]
    expect(merged([{ stated: { [kept]: 1, [leftOut]: 2 }, statedAt: { at: 1, id: 'a' } }])).toEqual({ [kept]: 1 })
  })

  test('are some 16 KB in all, whatever was said', () => {
    const stated = (of: number) =>
      Object.fromEntries(
        Array.from({ length: 100 }, (_, at) => [`${at} of ${of}`.padEnd(traitNameCharactersMax, '.'), 'x'.repeat(298)]),
      )
    const statements = [1, 2, 3].map((at) => ({ stated: stated(at), statedAt: { at, id: 'a' } }))
    expect(JSON.stringify(merged(statements)).length).toBeGreaterThan(15_000)
    expect(JSON.stringify(merged(statements)).length).toBeLessThan(17_000)
  })

  test('of one millisecond go by the record’s id', () => {
    const [one, other] = [
      { stated: { plan: 'one' }, statedAt: { at: 1, id: 'a' } },
      { stated: { plan: 'other' }, statedAt: { at: 1, id: 'b' } },
    ]
    expect([merged([one, other]), merged([other, one])]).toEqual([{ plan: 'other' }, { plan: 'other' }])
  })
})

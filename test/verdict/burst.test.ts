import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { burstAround, type NearClick } from '../../src/verdict/click-verdict.ts'

const rule = { destinationsMin: 3, seconds: 10 }

const near = (...clicks: [seconds: number, url: string, isOwn?: boolean][]): NearClick[] =>
  clicks.map(([seconds, url, isOwn = true]) => ({ at: seconds * 1000, url, isOwn }))

describe('a burst', () => {
  const bursts: [what: string, seconds: number, clicks: NearClick[], expected: 'own' | 'shared' | null][] = [
    ['three destinations within ten seconds', 0, near([0, 'a'], [5, 'b'], [10, 'c']), 'own'],
    ['its last click', 10, near([0, 'a'], [5, 'b'], [10, 'c']), 'own'],
    ['its middle', 5, near([0, 'a'], [5, 'b'], [10, 'c']), 'own'],
    ['three destinations in more than ten seconds', 0, near([0, 'a'], [5, 'b'], [10.001, 'c']), null],
    ['three destinations around it, too far from each other', 10, near([1, 'a'], [10, 'b'], [12, 'c']), null],
    ['two destinations, however often', 0, near([0, 'a'], [1, 'b'], [2, 'a'], [3, 'b'], [4, 'a']), null],
    ['one destination again among three', 3, near([0, 'a'], [1, 'b'], [2, 'c'], [3, 'a']), 'own'],
    ['three of which one may be another visitor’s', 0, near([0, 'a'], [1, 'b', false], [2, 'c']), 'shared'],
    ['itself alone', 0, near([0, 'a']), null],
  ]
  test.each(bursts.map(([what, seconds, clicks, expected]) => [what, expected, seconds, clicks] as const))(
    'of %s is %s',
    (_what, expected, seconds, clicks) => {
      expect(burstAround(seconds * 1000, clicks, rule)).toBe(expected)
    },
  )

  test('is found exactly where some stretch of ten seconds around the click holds three destinations', () => {
    const click = fc.record({ at: fc.integer({ min: 0, max: 30_000 }), url: fc.constantFrom('a', 'b', 'c', 'd') })
    fc.assert(
      fc.property(fc.array(click, { minLength: 1, maxLength: 8 }), (clicks) => {
        const all = clicks.map((one) => ({ ...one, isOwn: true }))
        for (const { at } of all) expect(burstAround(at, all, rule) !== null).toBe(isInBurst(at, clicks))
      }),
    )
  })
})

/** By trying every stretch that begins at any of the clicks or ends at the one in question. */
function isInBurst(at: number, clicks: { at: number; url: string }[]): boolean {
  const begins = [...clicks.map((click) => click.at), at - 10_000]
  return begins.some((begin) => {
    const within = clicks.filter((click) => click.at >= begin && click.at <= begin + 10_000)
    return begin <= at && at <= begin + 10_000 && new Set(within.map(({ url }) => url)).size >= 3
  })
}

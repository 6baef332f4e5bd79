import { describe, expect, test } from 'bun:test'
import type { Split } from '../../src/account/split.ts'
import { splitsReport } from '../../src/report/splits.ts'

type Counts = Record<string, [visits: number, leads: number]>

const split = (...names: string[]): Split => ({
  page: 'launch',
  variants: names.map((name) => ({ name, page: `launch-${name}`, share: 10 })),
})

/** The page itself is `a`. */
function reportOf(counts: Counts) {
  const names = Object.keys(counts).filter((name) => name !== 'a')
  const [report] = splitsReport([split(...names)], {
    countOf(measure, key) {
      const [visits, leads] = counts[key.replace(':launch', '')] ?? [0, 0]
      return measure === 'split_visit' ? visits : leads
    },
    sinceOf: () => null,
  })
  if (report === undefined) throw new Error('the split is missing')
  return report
}

describe('the figures of a split', () => {
  test('are visits, leads and conversion of each version, the page itself first', () => {
    expect(reportOf({ b: [50, 10], a: [200, 8] }).variants).toMatchObject([
      { name: 'a', visits: 200, leads: 8, conversion: 4 },
      { name: 'b', visits: 50, leads: 10, conversion: 20 },
    ])
  })

  // Wilson's 95 % interval, as R's binom.confint(…, methods = "wilson") gives it.
  test.each<[visits: number, leads: number, low: number, high: number]>([
    [100, 10, 5.5, 17.4],
    [10, 0, 0, 27.8],
    [10, 10, 72.2, 100],
    [1000, 50, 3.8, 6.5],
  ])('of %d visits and %d leads have an interval from %d to %d per cent', (visits, leads, low, high) => {
    expect(reportOf({ a: [visits, leads], b: [1, 0] }).variants[0]).toMatchObject({ low, high })
  })

  test('have no conversion without visits', () => {
    expect(reportOf({ a: [0, 0], b: [0, 0] }).variants[1]).toEqual({
      name: 'b',
      visits: 0,
      leads: 0,
      conversion: null,
      low: null,
      high: null,
    })
  })

  test('never come to more than all visits, though one may send two forms', () => {
    expect(reportOf({ a: [2, 3], b: [1, 0] }).variants[0]).toMatchObject({ leads: 3, conversion: 100, high: 100 })
  })
})

describe('the verdict', () => {
  const verdictOf = (counts: Counts) => reportOf(counts).verdict

  test.each<[what: string, counts: Counts]>([
    ['nothing was counted', { a: [0, 0], b: [0, 0] }],
    ['the versions are alike', { a: [1000, 50], b: [1000, 55] }],
    ['the difference may be chance', { a: [500, 20], b: [500, 32] }],
    ['few visits were counted', { a: [99, 0], b: [99, 30] }],
    ['few leads came', { a: [1000, 0], b: [1000, 9] }],
  ])('is that there is no difference yet, where %s', (_what, counts) => {
    expect(verdictOf(counts)).toBe('no difference yet')
  })

  test('says which version is better, and by how much', () => {
    // Newcombe's interval: 0.0174 to 0.0632.
    expect(verdictOf({ a: [1000, 50], b: [1000, 90] })).toBe(
      'b is better than a (of 100 visits, 1.8 to 6.3 more bring a lead)',
    )
  })

  test('may be that the page itself is better', () => {
    expect(verdictOf({ a: [1000, 90], b: [1000, 50] })).toStartWith('a is better than b ')
  })

  test('does not wait for a version that few have visited', () => {
    expect(verdictOf({ a: [2000, 40], b: [2000, 120], c: [3, 1] })).toMatch(
      /^b is better than a \(.*\); no difference yet to c$/,
    )
  })

  test('sees differences of rare leads', () => {
    expect(verdictOf({ a: [300_000, 30], b: [300_000, 120] })).toStartWith('b is better than a ')
  })

  test('names the versions that it does not hold for', () => {
    expect(verdictOf({ a: [1000, 30], b: [1000, 90], c: [1000, 85] })).toMatch(
      /^b is better than a \(.*\); no difference yet to c$/,
    )
  })

  test('asks more of many versions, of which one is best by chance', () => {
    const two: Counts = { a: [1000, 50], b: [1000, 72] }
    expect(verdictOf(two)).toStartWith('b is better')
    expect(verdictOf({ ...two, c: [1000, 60], d: [1000, 60], e: [1000, 60] })).toBe('no difference yet')
  })

  test('is wrong about versions that do not differ for at most one comparison in twenty', () => {
    let seed = 1
    // The generator mulberry32.
    const chance = () => {
      seed = (seed + 0x6d2b79f5) | 0
      const mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed)
      const drawn = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
      return ((drawn ^ (drawn >>> 14)) >>> 0) / 2 ** 32
    }
    const leadsOf = (visits: number) => Array.from({ length: visits }, chance).filter((drawn) => drawn < 0.06).length
    const wrong = Array.from({ length: 2000 }, () => verdictOf({ a: [800, leadsOf(800)], b: [800, leadsOf(800)] }))
    expect(wrong.filter((verdict) => verdict !== 'no difference yet').length / 2000).toBeLessThan(0.06)
  })
})

import { describe, expect, test } from 'bun:test'
import { RunningSplits, type Split, versionOf } from '../../src/account/split.ts'
import { newId } from '../../src/lib/id.ts'

const split = (...shares: number[]): Split => ({
  page: 'launch',
  variants: shares.map((share, index) => ({ name: `v${index + 1}`, page: `launch-${index + 1}`, share })),
})

const visitors = Array.from({ length: 20_000 }, () => newId())
const variantsOf = (split: Split): string[] => visitors.map((visitor) => versionOf(split, visitor).variant)

/** The part of the visitors for whom it holds, in per cent. */
const part = (holds: (index: number) => boolean): number =>
  (visitors.filter((_visitor, index) => holds(index)).length / visitors.length) * 100

describe('the version of a split page', () => {
  test('is given by shares, and the page itself has the rest', () => {
    const chosen = variantsOf(split(30, 5))
    for (const [variant, share] of [['v1', 30] as const, ['v2', 5] as const, ['a', 65] as const])
      expect(Math.abs(part((index) => chosen[index] === variant) - share)).toBeLessThan(1.5)
  })

  test('is never the page itself where variants have all shares', () => {
    expect(new Set(variantsOf(split(60, 40)))).toEqual(new Set(['v1', 'v2']))
  })

  test('names the page to show', () => {
    expect(versionOf(split(100), 'anybody')).toMatchObject({ variant: 'v1', page: 'launch-1' })
  })

  test('is the same in every release', () => {
    const device = '01930000-0000-7000-8000-00000000000'
    expect(Array.from('0123456789abcdef', (digit) => versionOf(split(50), device + digit).variant).join(' ')).toBe(
      'v1 a a a a v1 a a a a v1 v1 v1 v1 v1 v1',
    )
  })

  test('changes for as many visitors as a share grows by, who all go to the variant', () => {
    const [before, after] = [variantsOf(split(20)), variantsOf(split(30))]
    expect(Math.abs(part((index) => before[index] !== after[index]) - 10)).toBeLessThan(1.5)
    expect(part((index) => before[index] === 'v1' && after[index] !== 'v1')).toBe(0)
  })

  test('of one page tells nothing of that of another', () => {
    const [one, other] = [variantsOf(split(50)), variantsOf({ ...split(50), page: 'other' })]
    expect(Math.abs(part((index) => one[index] === other[index]) - 50)).toBeLessThan(2)
  })
})

describe('the splits of an account', () => {
  const pages = new Set(['launch', 'launch-1'])

  test('are found by the page, and the only one without', () => {
    const [one, other] = [split(50), { ...split(50), page: 'other' }]
    expect([new RunningSplits([one], pages).of('launch'), new RunningSplits([one], pages).only()]).toEqual([one, one])
    expect(new RunningSplits([one], pages).of('launch-1')).toBeNull()
    expect(new RunningSplits([one, other], pages).only()).toBeNull()
    expect(new RunningSplits([], pages).only()).toBeNull()
  })

  test('rest while a variant is not live', () => {
    const resting = new RunningSplits([split(50, 20)], pages)
    expect([resting.of('launch'), resting.only()]).toEqual([null, null])
  })
})

import { expect, test } from 'bun:test'
import { pageInTime, searchMsMax } from '../../src/operations/record/page-in-time.ts'

/** A list of numbers of which each look examines ten and takes 10 ms. */
function aSlowList(length: number, isWanted: (number: number) => boolean) {
  let nowMs = 0
  let looks = 0
  const look = async (behind: string | null, limit: number) => {
    looks++
    nowMs += 10
    const from = Number(behind ?? 0)
    const numbers = Array.from({ length: Math.min(10, length - from) }, (_, at) => from + at)
    const end = from + numbers.length
    return { found: numbers.filter(isWanted).slice(0, limit), next: end === length ? null : String(end) }
  }
  return { clock: { monotonicMs: () => nowMs }, look, looks: () => looks }
}

const first = { limit: 5, behind: null }

test('a search for what nobody has stops when it took its time, and can go on from there', async () => {
  const { clock, look, looks } = aSlowList(1000, () => false)
  expect(await pageInTime(first, clock, look)).toEqual({ found: [], next: '30' })
  expect(looks()).toBe(Math.ceil(searchMsMax / 10))
})

test('a search looks further while it has time, until its page is full', async () => {
  const { clock, look } = aSlowList(1000, (number) => number % 4 === 0)
  expect(await pageInTime(first, clock, look)).toEqual({ found: [0, 4, 8, 12, 16], next: '20' })
})

test('a search ends with the list', async () => {
  const { clock, look } = aSlowList(15, (number) => number === 12)
  expect(await pageInTime(first, clock, look)).toEqual({ found: [12], next: null })
})

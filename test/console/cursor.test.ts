import { expect, test } from 'bun:test'
import { pageOf } from '../../src/console/api/list.ts'

const texts = (key: string) => [key]

test.each([
  [false, ['a', 'b', 'c']],
  [true, ['c', 'b', 'a']],
])('a list goes on where it was, though only one of its items is left (reversed: %p)', (isReversed, items) => {
  const keys = { key: (key: string) => key, texts, isReversed }
  const first = pageOf(items, { limit: 2 }, keys)
  expect(first.items).toEqual(items.slice(0, 2))
  const rest = pageOf(items.slice(2), { limit: 2, cursor: first.next ?? '' }, keys)
  expect(rest).toEqual({ items: items.slice(2), next: null })
})

test('a list repeats nothing though the only item that is left was shown', () => {
  const keys = { key: (key: string) => key, texts, isReversed: true }
  const first = pageOf(['c', 'b', 'a'], { limit: 1 }, keys)
  expect(pageOf(['c'], { limit: 1, cursor: first.next ?? '' }, keys)).toEqual({ items: [], next: null })
})

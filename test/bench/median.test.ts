import { expect, test } from 'bun:test'
import { median, percentile } from '../../bench/median.ts'

test('the median is the middle, whatever the order', () => {
  expect(median([9, 1, 5])).toBe(5)
})

test('a percentile is a value that occurred (nearest rank)', () => {
  const values = Array.from({ length: 100 }, (_, index) => index + 1)
  expect(percentile(values, 0.99)).toBe(99)
})

test('the percentile of one value is that value', () => {
  expect(percentile([3], 0.99)).toBe(3)
})

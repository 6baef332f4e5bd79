import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { hung, wrappedLines } from '../../../src/cli/output/text.ts'

describe('a text', () => {
  test('is broken between words alone', () => {
    expect(wrappedLines('one two three', 8)).toEqual(['one two', 'three'])
    expect(wrappedLines('one unbreakable', 5)).toEqual(['one', 'unbreakable'])
  })

  test('keeps its own lines and their indentation', () => {
    expect(wrappedLines('a\n  sudo chown it\n\nb', 10)).toEqual(['a', '  sudo', '  chown it', '', 'b'])
  })

  test('keeps what stands in backticks together', () => {
    expect(wrappedLines('run `capture doctor` now', 18)).toEqual(['run', '`capture doctor`', 'now'])
  })

  test('is left as it is where nobody looks', () => {
    expect(wrappedLines('one two three', undefined)).toEqual(['one two three'])
  })

  test('goes on below where it began', () => {
    expect(hung('ok    ', 'one two three', 14)).toBe('ok    one two\n      three')
  })

  test('loses no word', () =>
    fc.assert(
      fc.property(fc.lorem({ maxCount: 30 }), fc.integer({ min: 1, max: 50 }), (text, columns) => {
        expect(wrappedLines(text, columns).join(' ')).toBe(text)
      }),
    ))
})

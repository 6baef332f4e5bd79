import { describe, expect, test } from 'bun:test'
import { changedLines, mergedTexts, textDiff } from '../../src/lib/text-diff.ts'

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `line ${index}\n`).join('')

test('the changed lines of a text are those that it did not have', () => {
  expect(changedLines('a\nb\nc\n', 'a\nB\nc\nd\ne')).toEqual([2, 4, 5])
  expect(changedLines('a\nb\n', 'a\n')).toEqual([])
})

describe('a diff of text', () => {
  test('has the changed lines with two around them', () => {
    expect(textDiff(numbered(9), numbered(9).replace('line 4', 'changed'))).toBe(
      '@@ -3,5 +3,5 @@\n line 2\n line 3\n-line 4\n+changed\n line 5\n line 6',
    )
  })

  test('is none where line ends alone differ', () => {
    expect(textDiff('a\nb\n', 'a\r\nb\r\n')).toBeNull()
  })

  test('is none where the last line feed alone is missing', () => {
    expect(textDiff('a\n', 'a')).toBeNull()
  })

  test('shows of two long lines the part where they differ', () => {
    const page = (word: string) => `<p>${'a'.repeat(300)}</p><h1>${word}</h1>${'b'.repeat(300)}`
    expect(textDiff(page('Old'), page('New'))).toBe(
      `@@ -1,1 +1,1 @@\n${['-', '+']
        .map((sign) => {
          const word = sign === '-' ? 'Old' : 'New'
          return `${sign}…${'a'.repeat(32)}</p><h1>${word}</h1>${'b'.repeat(152)}…`
        })
        .join('\n')}`,
    )
  })

  test('shows of several long lines each beside the one that took its place', () => {
    const text = (...words: string[]) => words.map((word) => `${'x'.repeat(400)}${word}\n`).join('')
    const lines = (textDiff(text('one', 'two'), text('three', 'four', 'five')) ?? '').split('\n').slice(1)
    expect(lines.map((line) => line.slice(0, 2) + line.slice(-5))).toEqual([
      '-…xxone',
      '-…xxtwo',
      '+…three',
      '+…xfour',
      '+xxxxx…',
    ])
  })

  test('has at most 40 lines of 200 characters, and counts the others', () => {
    const lines = (textDiff(numbered(60), `${'x'.repeat(500)}\n`.repeat(60)) ?? '').split('\n')
    expect([lines.length, lines.at(-1)]).toEqual([41, '… 81 more lines'])
    expect(lines.every(({ length }) => length <= 203)).toBe(true)
  })

  test('is given up where too much has changed, within the time of a few pages', () => {
    const [before, after] = ['a', 'b'].map((letter) =>
      Array.from({ length: 30_000 }, (_, index) => `${letter}${index}`).join('\n'),
    )
    const startNs = Bun.nanoseconds()
    expect(textDiff(before ?? '', after ?? '')).toBeNull()
    expect((Bun.nanoseconds() - startNs) / 1e6).toBeLessThan(1000)
  })
})

describe('two changes of one text', () => {
  const merged = (before: string, one: string, other: string) => mergedTexts({ before, one, other })
  const form = (id: string, limit = 3) =>
    `[[forms]]\nid = "${id}"\n${'same = true\n'.repeat(6)}limit = ${limit}\n${'same = true\n'.repeat(6)}`

  test('stand together, the second at its own part where others are like it', () => {
    const before = form('first') + form('second') + form('third')
    const edited = form('first') + form('second', 9) + form('third')
    expect(merged(before, form('second') + form('third'), edited)).toBe(form('second', 9) + form('third'))
    expect(merged(before, form('new') + before, edited)).toBe(form('new') + edited)
  })

  test('are left to people where they concern the same lines, or lines beside each other', () => {
    expect(merged('a\nb\nc\n', 'A\nb\nc\n', 'x\nb\nc\n')).toBeNull()
    expect(merged('a\nb\nc\n', 'A\nb\nc\n', 'a\nB\nc\n')).toBeNull()
    expect(merged('a\nb\n', 'a\nx\nb\n', 'a\ny\nb\n')).toBeNull()
  })

  test('are taken up to the very ends of the text', () => {
    expect(merged('a\nb\nc\n', 'x\na\nb\nc\n', 'a\nb\nc\ny\n')).toBe('x\na\nb\nc\ny\n')
    expect(merged('a\nb\nc', 'b\nc', 'a\nb\n')).toBe('b\n')
  })
})

import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { plain, styleFor } from '../../../src/cli/output/style.ts'
import { type Cell, tableText, widthOf } from '../../../src/cli/output/table.ts'

const table = (headers: string[], rows: Cell[][]): string => tableText({ headers, rows, empty: 'Nothing yet.' })

describe('a table', () => {
  test('aligns texts to the left and numbers to the right', () => {
    expect(
      table(
        ['NAME', 'COUNT'],
        [
          ['launch', 5],
          ['a', 12345],
        ],
      ),
    ).toBe('NAME    COUNT\nlaunch      5\na       12345\n')
  })

  test('aligns by the width that a terminal gives the characters', () => {
    const lines = table(
      ['NAME', 'X'],
      [
        ['日本', 'x'],
        ['café', 'x'],
      ],
    )
      .trimEnd()
      .split('\n')
    expect(lines).toEqual(['NAME  X', '日本  x', 'café  x'])
  })

  test('without rows is the sentence that says so', () => {
    expect(table(['NAME'], [])).toBe('Nothing yet.\n')
  })

  test('escapes control characters of that sentence, which may name a folder', () => {
    expect(tableText({ headers: ['NAME'], rows: [], empty: 'Nothing in a\u001bb.' })).toBe('Nothing in a\\u001bb.\n')
  })

  test('leaves an absent value empty', () => {
    expect(table(['A', 'B'], [[null, 'x']])).toBe('A  B\n   x\n')
  })

  test('keeps a column of numbers numeric around absent ones', () => {
    expect(table(['N'], [[100], [null], [5]])).toBe('  N\n100\n\n  5\n')
  })

  test('never passes on what could steer a terminal, nor breaks a line', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const lines = table(['A'], [[text]]).split('\n')
        expect(lines.length).toBe(3)
        expect(lines[1]).not.toMatch(/[\p{Cc}\u2028\u2029\p{Bidi_Control}]/u)
      }),
      { examples: [['\u001b]0;owned\u0007'], ['\u009b31m'], ['a\nb'], ['\u202eevil']] },
    ))

  test('cuts a cell that would fill the screen', () => {
    const [, line = ''] = table(['A'], [['日'.repeat(500)]]).split('\n')
    expect(line).toEndWith('…')
    expect(Bun.stringWidth(line)).toBeLessThanOrEqual(100)
  })

  test('takes several lines for a text where the terminal is too narrow, and breaks no word', () => {
    const wide = { headers: ['WHAT', 'COUNT'], rows: [['one two three', 12345] as Cell[]], empty: '' }
    expect(tableText(wide, plain, 14)).toBe('WHAT     COUNT\none two  12345\nthree\n')
    expect(tableText(wide, plain, 20)).toBe(tableText(wide))
  })

  test('breaks an address behind a slash', () => {
    const wide = { headers: ['ADDRESS', 'N'], rows: [['http://go.acme.test/launch', 1] as Cell[]], empty: '' }
    expect(tableText(wide, plain, 23)).toBe('ADDRESS               N\nhttp://go.acme.test/  1\nlaunch\n')
  })

  test('is a block of lines for each row where a column would break a word, a number or an id', () => {
    const rows: Cell[][] = [
      ['id-1 x', 'a name', 1e15],
      ['id-2 y', null, 2],
    ]
    const table = { headers: ['ID', 'NAME', 'N'], rows, empty: '', whole: ['ID'] }
    expect(tableText(table, plain, 20)).toBe(
      'ID    id-1 x\nNAME  a name\nN     1000000000000000\n\nID    id-2 y\nN     2\n',
    )
  })

  test('never exceeds the terminal, but by what is longer than a line', () =>
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.lorem({ maxCount: 8 }), fc.nat(), fc.webUrl()), { minLength: 1 }),
        fc.integer({ min: 30, max: 120 }),
        (rows, columns) => {
          const longest = Math.max(
            ...rows.flat().map((cell) =>
              Math.max(
                ...String(cell)
                  .split(/\s/)
                  .map((word) => word.length),
              ),
            ),
          )
          const text = tableText({ headers: ['A', 'N', 'C'], rows, empty: '' }, plain, columns)
          expect(widthOf(text)).toBeLessThanOrEqual(Math.max(columns, longest + 'A  '.length))
        },
      ),
    ))

  test('takes the columns of its longest line', () => {
    expect(widthOf('日本\nabc\n')).toBe(4)
    expect(widthOf('\u001b[32mok\u001b[39m')).toBe(2)
  })

  test('colours only on a terminal', () => {
    const coloured = styleFor({ isTerminal: true }, {})
    expect(tableText({ headers: ['A'], rows: [[{ text: 'ok', tone: 'good' }]], empty: '' }, coloured)).toContain(
      '\u001b[32mok',
    )
    expect(table(['A'], [[{ text: 'ok', tone: 'good' }]])).toBe('A\nok\n')
  })
})

describe('colour', () => {
  test.each([
    ['no terminal', { isTerminal: false }, {}],
    ['NO_COLOR', { isTerminal: true }, { NO_COLOR: '1' }],
    ['a dumb terminal', { isTerminal: true }, { TERM: 'dumb' }],
  ])('is left out for %s', (_why, stream, env) => {
    expect(styleFor(stream, env)('bad', 'text')).toBe('text')
  })

  test('is there with an empty NO_COLOR', () => {
    expect(styleFor({ isTerminal: true }, { NO_COLOR: '' })('bad', 'text')).toBe('\u001b[31mtext\u001b[39m')
  })
})

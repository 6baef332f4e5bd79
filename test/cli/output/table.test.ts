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

  test('cuts the longest text where the terminal is too narrow', () => {
    const wide = { headers: ['NAME', 'COUNT'], rows: [['n'.repeat(90), 12345] as Cell[]], empty: '' }
    expect(tableText(wide, plain, 60).split('\n')[1]).toBe(`${'n'.repeat(52)}…  12345`)
    expect(tableText(wide, plain, 97)).toBe(tableText(wide))
  })

  test('cuts no number, and no text that is of use whole alone', () => {
    const rows: Cell[][] = [['i'.repeat(40), 'x'.repeat(40), 1e15]]
    const [, line = ''] = tableText({ headers: ['ID', 'NAME', 'N'], rows, empty: '', whole: ['ID'] }, plain, 20).split(
      '\n',
    )
    expect(line).toBe(`${'i'.repeat(40)}  ${'x'.repeat(11)}…  1000000000000000`)
  })

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

import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { csvChunks, csvLine, formulaSafe } from '../../src/report/csv.ts'
import { parseCsv } from './parse-csv.ts'

/** Texts in which the characters that matter are frequent. */
const cell = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom(...'=+-@\t\r\n,";\' 0159().eE/Aé') }),
)

describe('CSV', () => {
  test('read back gives the same cells, less the quote before formulas', () =>
    fc.assert(
      fc.property(fc.array(fc.array(cell, { minLength: 2, maxLength: 2 })), (rows) => {
        const read = parseCsv(rows.map((cells) => csvLine(cells)).join(''))
        expect(read).toEqual(rows.map((cells) => cells.map(formulaSafe)))
      }),
    ))

  test('changes a cell by nothing but one leading quote', () =>
    fc.assert(fc.property(cell, (text) => expect([text, `'${text}`]).toContain(formulaSafe(text)))))

  test('has no cell that begins like a formula, unless it can only be a number', () =>
    fc.assert(
      fc.property(cell, (text) => {
        const safe = formulaSafe(text)
        expect(/^[=@\t\r]/.test(safe)).toBe(false)
        if (/^[+-]/.test(safe)) expect(safe).toMatch(/^[+-][\d ()./eE+-]*\d[ ()./-]*$/)
      }),
      { numRuns: 1000 },
    ))

  test.each([
    '=1+1',
    '+1+1',
    '-1+cmd',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    '-',
    '+',
    '--1',
    '+A1',
    '-1-1',
    '+1 2',
    '-(1)',
    '+49\n30 1234567',
  ])('quotes what a spreadsheet would run: %j', (text) => expect(formulaSafe(text)).toBe(`'${text}`))

  test.each([
    '-1',
    '+1.5',
    '-12345678901234567890',
    '-1e400',
    '+49 30 1234567',
    '+1 (555) 123-4567',
    '+4930/1234567',
    '1=1',
    ' =1',
    '',
    "'=1",
  ])('leaves alone what it would not: %j', (text) => expect(formulaSafe(text)).toBe(text))

  test('quotes only cells that need it, and ends lines with CRLF', () => {
    expect(csvLine(['plain', 'a,b', 'say "x"', 'two\nlines', ''])).toBe('plain,"a,b","say ""x""","two\nlines",\r\n')
  })

  test('makes headers harmless as well', async () => {
    const columns = [{ header: '=cmd', cell: (row: string) => row }]
    const rows = (async function* () {
      yield '=1'
    })()
    expect((await Array.fromAsync(csvChunks(columns, rows))).join('')).toBe("'=cmd\r\n'=1\r\n")
  })

  test.each([';', '\t'] as const)('with %j between its cells quotes those that hold it, and no comma', (separator) => {
    expect(csvLine(['a,b', `c${separator}d`, 'e'], separator)).toBe(
      ['a,b', `"c${separator}d"`, 'e\r\n'].join(separator),
    )
  })

  test('begins with a byte order mark where that is asked for, once', async () => {
    async function* rows() {
      yield 'é'
    }
    const columns = [{ header: 'name', cell: (row: string) => row }]
    const text = (await Array.fromAsync(csvChunks(columns, rows(), { separator: ';', isMarked: true }))).join('')
    expect(text).toBe('\uFEFFname\r\né\r\n')
  })
})

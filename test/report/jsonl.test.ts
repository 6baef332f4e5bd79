import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { parseLosslessText } from '../../src/lib/lossless-json.ts'
import { jsonLines } from '../../src/report/json-text.ts'

async function* each<T>(values: T[]): AsyncGenerator<T> {
  yield* values
}

const text = async (records: object[]): Promise<string> => (await Array.fromAsync(jsonLines(each(records)))).join('')

describe('JSON lines', () => {
  test('give every record back, one a line', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.object()), async (records) => {
        const lines = (await text(records)).split('\n')
        expect(lines.pop()).toBe('')
        expect(lines.map((line) => JSON.parse(line))).toEqual(JSON.parse(JSON.stringify(records)))
      }),
    ))

  test('keep the digits of numbers that a double would change', async () => {
    const sent = '{"a":12345678901234567890,"b":1.0,"c":1e400}'
    expect(await text([{ fields: parseLosslessText(sent) }])).toBe(`{"fields":${sent}}\n`)
  })

  test('never hold a character that steers a terminal', () =>
    fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), async (sent) => {
        expect((await text([{ sent }])).slice(0, -1)).not.toMatch(/[\p{Cc}\u2028\u2029\p{Bidi_Control}]/u)
      }),
      { examples: [['\u001b[2J'], ['\u009b2J'], ['\u007f'], ['\u202e']] },
    ))

  test('come in chunks of bounded size', async () => {
    const records = Array.from({ length: 1000 }, () => ({ text: 'x'.repeat(1000) }))
    const chunks = await Array.fromAsync(jsonLines(each(records)))
    expect(Math.max(...chunks.map((chunk) => chunk.length))).toBeLessThanOrEqual(65_536)
  })

  test('gather many records in one chunk', async () => {
    const records = Array.from({ length: 1000 }, () => ({ text: 'x'.repeat(1000) }))
    expect((await Array.fromAsync(jsonLines(each(records)))).length).toBeLessThan(20)
  })
})

import { expect, test } from 'bun:test'
import { writeJsonArray } from '../../../src/cli/output/print-result.ts'

async function written(elements: object[]): Promise<string> {
  let text = ''
  const out = {
    write: async (part: string | Uint8Array) => {
      text += part
    },
  }
  await writeJsonArray(
    out,
    (async function* () {
      yield* elements
    })(),
  )
  return text
}

test('an array is written with one element a line', async () => {
  expect(await written([{ a: 1 }, { b: 2 }])).toBe('[\n  {"a":1},\n  {"b":2}\n]\n')
})

test('an empty array is written as one', async () => {
  expect(await written([])).toBe('[]\n')
})

test('what a receiver answered cannot steer the terminal through an array', async () => {
  const text = await written([{ lastError: 'to \u009b31m' }])
  expect(text).not.toContain('\u009b')
  expect(JSON.parse(text)).toEqual([{ lastError: 'to \u009b31m' }])
})

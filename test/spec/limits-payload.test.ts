// Spec, "Limits", row "Payload size"; docs/running.md, "Limits".
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { eventRequest, formRequest } from '../harness/capture-requests.ts'
import { chunked, refusalOf } from '../harness/http.ts'

let box: Box

beforeAll(async () => {
  const sites = [
    aSite(),
    aSite({ account: 'least', payload_limit: 1024 }),
    aSite({ account: 'odd', payload_limit: 5001 }),
    aSite({ account: 'most', payload_limit: 16_384 }),
  ]
  box = await Box.start(sites)
}, boxStartMsMax)

afterAll(() => box.stop())

/** JSON of exactly so many bytes: padded with a text of characters of one, two, three or four bytes. */
function jsonOfBytes(bytes: number, character: string, wrap: (text: string) => string): Uint8Array<ArrayBuffer> {
  const free = bytes - Buffer.byteLength(wrap(''))
  const each = Buffer.byteLength(character)
  const text = character.repeat(Math.floor(free / each)) + 'x'.repeat(free % each)
  return new Uint8Array(Buffer.from(wrap(text)))
}

const inForm = (text: string) => JSON.stringify({ text })
const inEvents = (text: string) => JSON.stringify({ events: [{ event: 'a', properties: { text } }] })

const tooLarge = { status: 400, code: 'validation' }

describe.each([
  ['form capture', formRequest, inForm, 200],
  ['event capture', eventRequest, inEvents, 202],
] as const)('%s', (_name, request, wrap, accepted) => {
  describe.each([
    ['acme', 8192],
    ['least', 1024],
    ['odd', 5001],
    ['most', 16_384],
  ] as const)('with the limit of %s, %d bytes,', (account, limit) => {
    test.each(['x', 'é', '東', '😀'])('takes exactly as many bytes of %s', async (character) => {
      const body = jsonOfBytes(limit, character, wrap)
      expect((await box.send(request({ account, body }))).status).toBe(accepted)
    })

    test.each(['x', 'é', '東', '😀'])('refuses one byte more of %s', async (character) => {
      const body = jsonOfBytes(limit + 1, character, wrap)
      expect(refusalOf(await box.send(request({ account, body })))).toEqual(tooLarge)
    })

    test('counts a body without a declared length just so', async () => {
      const [fits, exceeds] = [limit, limit + 1].map((bytes) => chunked(jsonOfBytes(bytes, 'x', wrap), 700))
      expect((await box.send(request({ account, body: fits ?? null }))).status).toBe(accepted)
      expect(refusalOf(await box.send(request({ account, body: exceeds ?? null })))).toEqual(tooLarge)
    })

    test('counts white space around the JSON too', async () => {
      const body = wrap('') + ' '.repeat(limit)
      expect(refusalOf(await box.send(request({ account, body })))).toEqual(tooLarge)
    })
  })

  test('refuses a body of many times the limit', async () => {
    expect(refusalOf(await box.send(request({ body: jsonOfBytes(100_000, 'x', wrap) })))).toEqual(tooLarge)
  })
})

test.each([1023, 16_385, 1_000_000])('an account cannot set the limit to %d bytes', async (payload_limit) => {
  await expect(box.apply(aSite({ account: 'greedy', payload_limit }))).rejects.toThrow('payload_limit')
})

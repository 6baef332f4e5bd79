// Bodies are strict JSON (RFC 8259) in UTF-8, on both capture paths (docs/forms.md, "Errors").
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { eventRequest, formRequest } from '../harness/capture-requests.ts'
import { refusalOf } from '../harness/http.ts'

let box: Box

beforeAll(async () => {
  box = await Box.start([aSite()])
}, boxStartMsMax)

afterAll(() => box.stop())

const latin1 = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'))

/** The value of a field, in the body of either endpoint. */
const formBody = (value: string) => `{"a":${value}}`
const eventBody = (value: string) => `{"events":[{"event":"a","properties":{"a":${value}}}]}`

/** What is wrong, as the value of a field. */
const badValues: [what: string, value: string][] = [
  ['a missing value', ''],
  ['a bare word', 'yes'],
  ['undefined', 'undefined'],
  ['NaN', 'NaN'],
  ['Infinity', 'Infinity'],
  ['a leading zero', '01'],
  ['a leading plus', '+1'],
  ['a bare fraction', '.5'],
  ['a trailing point', '5.'],
  ['hexadecimal', '0x10'],
  ['single quotes', "'x'"],
  ['a control character in a text', '"a\u0001b"'],
  ['a line break in a text', '"a\nb"'],
  ['an unknown escape', '"\\x41"'],
  ['a broken unicode escape', '"\\u00"'],
  ['a trailing comma in an array', '[1,]'],
  ['a trailing comma in an object', '{"b":1,}'],
  ['an unquoted key', '{b:1}'],
  ['a comment', '1/* one */'],
  ['a line comment', '1// one\n'],
  ['an open text', '"x'],
  ['an open array', '[1'],
]

/** Bytes that are no UTF-8, within a text. */
const badBytes: [what: string, bytes: string][] = [
  ['a lone continuation byte', '\x80'],
  ['a cut off sequence', '\xc3'],
  ['an overlong sequence', '\xc0\xaf'],
  ['a surrogate', '\xed\xa0\x80'],
  ['a code point beyond Unicode', '\xf4\x90\x80\x80'],
  ['Latin-1', 'Gr\xfc\xdfe'],
]

describe.each([
  ['form capture', formRequest, formBody, 200],
  ['event capture', eventRequest, eventBody, 202],
] as const)('%s', (_name, request, bodyOf, accepted) => {
  const expectRefused = async (body: string | Uint8Array<ArrayBuffer>) =>
    expect(refusalOf(await box.send(request({ body })))).toEqual({ status: 400, code: 'validation' })

  test.each(badValues)('refuses %s', async (_what, value) => {
    await expectRefused(bodyOf(value))
  })

  test.each(badBytes)('refuses %s', async (_what, bytes) => {
    await expectRefused(latin1(bodyOf(`"${bytes}"`)))
  })

  test.each([
    ['no body', ''],
    ['white space', ' \n'],
    ['a byte order mark', `\ufeff${bodyOf('1')}`],
    ['something behind the value', `${bodyOf('1')} x`],
    ['two values', bodyOf('1') + bodyOf('2')],
    ['a NUL behind the value', `${bodyOf('1')}\u0000`],
    ['the closing prefix of JSON hijacking guards', `)]}'\n${bodyOf('1')}`],
  ])('refuses %s', async (_what, body) => {
    await expectRefused(body)
  })

  test('refuses UTF-16', async () => {
    await expectRefused(new Uint8Array(Buffer.from(`\ufeff${bodyOf('1')}`, 'utf16le')))
  })

  test('takes white space around everything', async () => {
    expect((await box.send(request({ body: ` \r\n\t${bodyOf(' 1 ')}\n` }))).status).toBe(accepted)
  })

  test('takes escapes, a lone surrogate among them', async () => {
    expect((await box.send(request({ body: bodyOf('"\\u0041\\ud800\\/\\""') }))).status).toBe(accepted)
  })

  const levelsAround = bodyOf('').split(/[{[]/).length - 1
  const nested = (levels: number) => bodyOf('['.repeat(levels - levelsAround) + ']'.repeat(levels - levelsAround))

  test('takes 64 levels of nesting', async () => {
    expect((await box.send(request({ body: nested(64) }))).status).toBe(accepted)
  })

  test('refuses 65 levels of nesting', async () => {
    await expectRefused(nested(65))
  })

  test('refuses as many levels as fit the size', async () => {
    await expectRefused('['.repeat(8192))
  })

  test('takes any number of brackets within a text', async () => {
    expect((await box.send(request({ body: bodyOf(`"${'[{'.repeat(100)}"`) }))).status).toBe(accepted)
  })
})

import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  InvalidJson,
  type InvalidJsonReason,
  isJsonObject,
  jsonDepthMax,
  parseLosslessJson,
  parseLosslessText,
} from '../../src/lib/lossless-json.ts'

const parse = (text: string) => parseLosslessJson(new TextEncoder().encode(text))
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

function refusal(bytes: Uint8Array | string): InvalidJsonReason | 'accepted' {
  try {
    parseLosslessJson(typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes)
    return 'accepted'
  } catch (error) {
    if (error instanceof InvalidJson) return error.reason
    throw error
  }
}

describe('numbers', () => {
  for (const digits of ['12345678901234567890', '1.0', '1e400', '-0', '0.1', '1E5', '-0.0', '1e-7', '0.10', '1e+2']) {
    test(`${digits} comes back with its digits`, () => {
      expect(JSON.stringify(parse(`{"a":[${digits}, ${digits}],"b" : ${digits}\n}`))).toBe(
        `{"a":[${digits},${digits}],"b":${digits}}`,
      )
    })
  }

  test('a number that a double prints as it was sent is a plain number, even beside one that is not', () => {
    expect(parse('[1,19.99,123456789012345,1.0]')).toEqual([1, 19.99, 123456789012345, JSON.rawJSON('1.0')])
  })

  test('any JSON keeps its digits, its strings and its order', () => {
    fc.assert(
      fc.property(documentArb, ({ sent, minified }) => {
        expect(JSON.stringify(parse(sent))).toBe(minified)
      }),
      { numRuns: 2000 },
    )
  })

  test('any plain decimal keeps its digits', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^-?(0|[1-9]\d{0,17})(\.\d{1,10})?$/), (digits) => {
        expect(JSON.stringify(parse(`[${digits}]`))).toBe(`[${digits}]`)
      }),
      { numRuns: 5000 },
    )
  })

  test('what was stored is read back unchanged, deeper than a request may nest', () => {
    const stored = `{"fields":${nested(jsonDepthMax)},"n":1.0}`
    expect(JSON.stringify(parseLosslessText(stored))).toBe(stored)
  })
})

describe('keys', () => {
  test('the last of repeated keys counts', () => {
    expect(JSON.stringify(parse('{"a":{"b":1.0},"a":[2.0],"a":3.0}'))).toBe('{"a":3.0}')
  })

  for (const number of ['1', '1.0']) {
    test(`__proto__ is plain data beside the number ${number}`, () => {
      const value = parse(`{"__proto__":{"admin":true},"constructor":${number}}`)
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
      expect(Object.keys(value as object)).toEqual(['__proto__', 'constructor'])
    })
  }
})

describe('what is refused', () => {
  const utf8 = (text: string) => [...new TextEncoder().encode(text)]
  const invalidUtf8 = {
    'a lone byte': [0xff],
    'an encoded surrogate': [0xed, 0xa0, 0x80],
    'an overlong /': [0xc0, 0xaf],
  }
  for (const [what, bytes] of Object.entries(invalidUtf8)) {
    test(`${what} in a string is not_utf8`, () => {
      expect(refusal(new Uint8Array([...utf8('{"a":"'), ...bytes, ...utf8('"}')]))).toBe('not_utf8')
    })
  }

  const notJson = ['', ' ', '\ufeff{}', '{', '{"a":1,}', "{'a':1}", '01', '1.', '.5', '+1', 'NaN', '[1.0,]', '{} {}']
  for (const text of [...notJson, '"\u0001"', '"\\x"', '// c\n{}', '\u00a0{}', ']']) {
    test(`${JSON.stringify(text)} is not_json`, () => {
      expect(refusal(text)).toBe('not_json')
    })
  }

  test('nesting at the limit is read', () => {
    expect(refusal(nested(jsonDepthMax))).toBe('accepted')
  })

  test('nesting one deeper than the limit is too_deep', () => {
    expect(refusal(nested(jsonDepthMax + 1))).toBe('too_deep')
  })

  test('objects and arrays count alike', () => {
    expect(refusal('[{"a":'.repeat(33) + '1' + '}]'.repeat(33))).toBe('too_deep')
  })

  test('brackets in a string, behind an escaped quote, are no nesting', () => {
    expect(refusal(JSON.stringify({ a: `"\\"${'[{'.repeat(200)}` }))).toBe('accepted')
  })

  test('many brackets side by side are no nesting', () => {
    expect(refusal(`[${new Array(500).fill('{"a":[]}').join(',')}]`)).toBe('accepted')
  })

  // Quadratic time would outlast the test's own limit.
  test.each(['[ ', ',1', '1', '-', '1.', ':   ', '0e'])(
    'a million of %p, made to lead the number search astray, are read in linear time',
    (hostile) => {
      expect(refusal(JSON.stringify(hostile.repeat(1_000_000)))).toBe('accepted')
    },
  )
})

describe('isJsonObject', () => {
  test('a number kept in its digits is no object', () => {
    expect(isJsonObject(parse('1.0'))).toBe(false)
  })

  test('only an object is one', () => {
    expect(['{}', '[]', 'null', '"a"', '1'].map((text) => isJsonObject(parse(text)))).toEqual([
      true,
      false,
      false,
      false,
      false,
    ])
  })
})

/** A JSON document as sent, with white space anywhere, and as `JSON.stringify` would have to give it back. */
interface Written {
  sent: string
  minified: string
}

const space = fc.stringMatching(/^[ \t\r\n]{0,2}$/)
const same = (text: string): Written => ({ sent: text, minified: text })
const numberArb = fc
  .oneof(
    fc.stringMatching(/^-?(0|[1-9]\d{0,22})(\.\d{1,8})?([eE][+-]?\d{1,4})?$/),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => JSON.stringify(number)),
    fc.integer().map(String),
  )
  .map(same)
const stringArb = fc
  .oneof(fc.string({ unit: 'binary' }), fc.constantFrom(',1.0]', '":1e400,', '\\', '[[[', ': -0 }'))
  .map((text) => same(JSON.stringify(text)))
/** Keys that are no array index: those would change their order. */
const keyArb = fc.string().map((text) => JSON.stringify(`k${text}`))

const { document: documentArb } = fc.letrec<{ document: Written; list: Written; object: Written }>((tie) => ({
  document: fc.oneof(
    { maxDepth: 6, withCrossShrink: true },
    numberArb,
    stringArb,
    fc.constantFrom('null', 'true', 'false').map(same),
    tie('list'),
    tie('object'),
  ),
  list: fc
    .tuple(fc.array(tie('document'), { maxLength: 5 }), space)
    .map(([items, gap]) => wrapped('[', items, { close: ']', gap })),
  object: fc
    .tuple(fc.uniqueArray(fc.tuple(keyArb, tie('document')), { maxLength: 5, selector: ([key]) => key }), space)
    .map(([members, gap]) =>
      wrapped(
        '{',
        members.map(([key, { sent, minified }]) => ({
          sent: `${key}${gap}:${gap}${sent}`,
          minified: `${key}:${minified}`,
        })),
        { close: '}', gap },
      ),
    ),
}))

function wrapped(open: string, items: Written[], { close, gap }: { close: string; gap: string }): Written {
  return {
    sent: `${gap}${open}${gap}${items.map(({ sent }) => sent).join(`${gap},${gap}`)}${gap}${close}${gap}`,
    minified: `${open}${items.map(({ minified }) => minified).join(',')}${close}`,
  }
}

import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { cleanUrl } from '../../../src/capture/url/clean-url.ts'
import { looksPersonal } from '../../../src/capture/url/personal-text.ts'

const digits = (min: number, max = min) => fc.stringMatching(new RegExp(`^[0-9]{${min},${max}}$`))
const phone = fc.oneof(
  fc
    .tuple(fc.integer({ min: 1, max: 999 }), digits(2, 4), digits(5, 8))
    .map(([code, area, line]) => `+${code}${area}${line}`),
  fc
    .tuple(
      fc.integer({ min: 1, max: 999 }),
      digits(2, 4),
      digits(5, 8),
      fc.constantFrom(' ', '-', '.', '/', ' - ', ' / '),
    )
    .map(([code, area, line, gap]) => ['+' + code, area, line].join(gap)),
  fc
    .tuple(fc.integer({ min: 1, max: 999 }), digits(2, 4), digits(5, 8))
    .map(([code, area, line]) => `00${code} ${area} ${line}`),
  fc.tuple(digits(3), digits(3), digits(4)).map(([area, first, last]) => `(${area}) ${first}-${last}`),
  fc
    .tuple(digits(2, 4), digits(5, 8), fc.constantFrom(' ', '-', '.', '/', '\u00a0', '\u2013'))
    .map(([area, line, gap]) => `0${area}${gap}${line}`),
  fc
    .tuple(digits(2), digits(2), digits(2), digits(2), fc.constantFrom(' ', '.', '-'))
    .map(([a, b, c, d, gap]) => ['01', a, b, c, d].join(gap)),
)
const hashed = (encoding: 'hex' | 'base64url') =>
  fc.string().map((seed) => new Bun.CryptoHasher('sha256').update(seed).digest(encoding))
const token = fc
  .oneof(hashed('hex'), hashed('base64url'), fc.stringMatching(/^[A-Za-z0-9]{24,64}$/))
  .filter((text) => /[0-9]/.test(text) && /[A-Za-z]/.test(text))
const base64Json = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const jwt = fc
  .tuple(fc.constantFrom('HS256', 'ES256', 'none'), fc.string(), hashed('base64url'))
  .map(([alg, sub, signature]) => [base64Json({ alg }), base64Json({ sub }), signature].join('.'))
const card = fc
  .tuple(digits(12, 18), fc.constantFrom('', ' ', '-'))
  .map(([start, gap]) => (withCheckDigit(start).match(/\d{1,4}/g) ?? []).join(gap))
const secret = fc.oneof(fc.emailAddress(), phone, token, jwt, card)

/** Any place of a URL but a host and a click id, which are stored as they are. */
const places: ((part: string) => string)[] = [
  (part) => `https://${part}@x.example/p?a=1`,
  (part) => `https://x.example/${part}`,
  (part) => `https://x.example/u/${part}/edit?a=1`,
  (part) => `https://x.example/u/id-${part}-x/edit?a=1`,
  (part) => `https://x.example/p;m=${part}/q`,
  (part) => `https://x.example/p?q=${part}`,
  (part) => `https://x.example/p?a=1&q=${part}&b=2#f`,
  (part) => `https://x.example/p?q=hello%20${part}+bye`,
  (part) => `https://x.example/p?q=x${part}&b=2`,
  (part) => `https://x.example/p?${part}`,
  (part) => `https://x.example/p?a=1&${part}=1`,
  (part) => `https://x.example/p?a=1;q=${part};b=2`,
  (part) => `https://x.example/p?utm_source=${part}&gclid=abc`,
  (part) => `https://x.example/p?utm_${part}=1`,
  (part) => `https://x.example/p?next=${encodeURIComponent(`https://y.example/a?q=${part}#f`)}`,
  (part) => `https://x.example/p?json=${encodeURIComponent(JSON.stringify({ q: part }))}`,
  (part) => `https://x.example/p#${part}`,
]
const encoders: ((text: string) => string)[] = [
  (text) => text,
  encodeURIComponent,
  (text) => encodeURIComponent(encodeURIComponent(text)),
  (text) => new URLSearchParams({ q: text }).toString().slice(2),
  everyByteEncoded,
  (text) => everyByteEncoded(everyByteEncoded(text)),
  (text) => text.replace(/[!-~]/g, (character) => String.fromCharCode(character.charCodeAt(0) + 0xfee0)),
]

test('nothing personal is found in what is stored, wherever it was put and however it was encoded', () => {
  fc.assert(
    fc.property(secret, fc.constantFrom(...places), fc.constantFrom(...encoders), (text, place, encoded) => {
      const result = cleanUrl(place(encoded(text)))
      if (result === null) return
      const stored = [result.url, result.path, ...Object.entries(result.attribution).flat()].flatMap(readings)
      const found = stored.find((reading) =>
        [text, encoded(text), text.toLowerCase()].some((form) => reading.includes(form)),
      )
      expect(found).toBeUndefined()
    }),
    { numRuns: 5000 },
  )
})

const anyUrl = fc.oneof(
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
  fc
    .tuple(secret, fc.constantFrom(...places), fc.constantFrom(...encoders))
    .map(([text, place, encoded]) => place(encoded(text))),
  fc
    .tuple(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }))
    .map(([path, query]) => `https://x.example/${path}?${query}`),
)

test('cleaning a cleaned address changes nothing', () => {
  fc.assert(
    fc.property(anyUrl, (raw) => {
      const once = cleanUrl(raw)
      if (once === null) return
      expect(cleanUrl(once.url)).toEqual({ ...once, attribution: {} })
    }),
    { numRuns: 2000 },
  )
})

test('what stays of a query is byte for byte what the URL standard makes of it, in its order', () => {
  const parameter = fc.oneof(
    fc.string(),
    fc.constantFrom('', 'a=%7e', 'email=x', 'b=c+d%2F', 'q=a%40b.example', 'utm_id=7'),
  )
  fc.assert(
    fc.property(fc.array(parameter), (parameters) => {
      const raw = `https://x.example/?${parameters.join('&')}`
      const sent = new URL(raw).search.slice(1).split('&')
      const kept = new URL(cleanUrl(raw)?.url ?? '').search.slice(1).split('&')
      let next = 0
      for (const one of kept.filter((text) => text !== '')) {
        next = sent.indexOf(one, next) + 1
        expect(next).toBeGreaterThan(0)
      }
    }),
    { numRuns: 1000 },
  )
})

test('harmless parameters all survive', () => {
  const name = fc.constantFrom('q', 'page', 'size', 'product_name', 'filename', 'sort', 'variantId')
  const date = fc.date({ min: new Date('1950-01-01'), max: new Date('2090-01-01'), noInvalidDate: true })
  const value = fc.oneof(
    digits(1, 12),
    fc.uuid(),
    fc.stringMatching(/^[a-z]{1,12}(-[a-z]{1,12}){0,5}(-20[0-9]{2})?$/),
    date.map((day) => day.toISOString()),
    date.map((day) => day.toISOString().slice(0, 10)),
    fc.tuple(fc.nat(99999), digits(2)).map(([whole, part]) => `${whole}.${part}`),
    fc.ipV4(),
    fc
      .tuple(fc.integer({ min: -89, max: 89 }), digits(6), fc.integer({ min: -179, max: 179 }), digits(6))
      .map(([lat, a, lon, b]) => `${lat}.${a},${lon}.${b}`),
  )
  fc.assert(
    fc.property(fc.array(fc.tuple(name, value), { minLength: 1 }), (pairs) => {
      const url = `https://x.example/p?${pairs.map((pair) => pair.join('=')).join('&')}`
      expect(cleanUrl(url)?.url).toBe(url)
    }),
    { numRuns: 1000 },
  )
})

// 250,000 characters: anything that grows with the square of the length runs into the test's time limit.
test.each([
  '1',
  '1,',
  '1.',
  '1/',
  '2026-11-21 ',
  '@',
  'a@',
  '@a.',
  '@a-',
  'eyJ',
  'ew0',
  '=',
  'a=',
  'aB',
  '":',
  ' =',
  '-',
  'a1-',
  '%',
  '%2',
  '%25',
  '%C3',
  '%E2%80%8B',
  '٣',
  '(',
  '+ ',
])('a long row of %p takes linear time', (piece) => {
  const hostile = piece.repeat(250_000 / piece.length)
  expect(typeof looksPersonal(hostile)).toBe('boolean')
})

/** A stored text and what decoding makes of it, with `+` read both ways. */
function readings(text: string): string[] {
  const forms = [text, text.replaceAll('+', ' ')]
  return forms.flatMap((form) => {
    const passes = [form]
    for (let pass = 0; pass < 3; pass++) passes.push(decoded(passes.at(-1) ?? ''))
    return passes
  })
}

function decoded(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString())
}

function everyByteEncoded(text: string): string {
  return Array.from(Buffer.from(text), (byte) => '%' + byte.toString(16).padStart(2, '0')).join('')
}

function withCheckDigit(start: string): string {
  const sum = Array.from(start)
    .reverse()
    .reduce(
      (total, digit, i) =>
        total + ((Number(digit) * (i % 2 === 0 ? 2 : 1)) % 10) + (i % 2 === 0 && Number(digit) > 4 ? 1 : 0),
      0,
    )
  return start + ((10 - (sum % 10)) % 10)
}

/** Of all that a serialised address may hold, and what the URL standard strips, encodes or takes for something else. */
const oddText = fc.string({
  unit: fc.constantFrom(...'ab/?&=%.:@\\#\'"<>`^{}[]|;+~ \t\n', 'é', '%2e', '..'),
  maxLength: 12,
})

test('an address is cleaned alike whether a fragment follows it or not, and by whatever way it is read', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('http', 'https', 'HTTP', 'ftp'),
      oddText,
      oddText,
      oddText,
      (scheme, host, path, query) => {
        const raw = `${scheme}://x${host}.example/${path}?${query}`
        // A fragment ends whatever stands before it; white space at the end of an address is no part of it.
        fc.pre(!raw.includes('#') && !/\s$/.test(raw))
        expect(cleanUrl(raw)).toEqual(cleanUrl(`${raw}#f`))
      },
    ),
    { numRuns: 2000 },
  )
})

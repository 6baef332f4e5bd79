import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { identityEmail } from '../../src/ledger/identity-email.ts'

const label63 = 'd'.repeat(63)
const domainOf = (characters: number) => `${'d'.repeat(characters - 195)}.${label63}.${label63}.${label63}.ex`

describe('an address', () => {
  const cases: [string, string][] = [
    ['ada@acme.example', 'ada@acme.example'],
    ['  Ada@ACME.Example\n', 'ada@acme.example'],
    ["o'brien+tag.#!$%&*/=?^_`{|}~-@a-b.example", "o'brien+tag.#!$%&*/=?^_`{|}~-@a-b.example"],
    ['.a..b.@acme.example', '.a..b.@acme.example'],
    ['a@BÜCHER.example', 'a@xn--bcher-kva.example'],
    ['a@XN--BCHER-KVA.example', 'a@xn--bcher-kva.example'],
    ['JÖRG@acme.example', 'jörg@acme.example'],
    ['jo\u0308rg@acme.example', 'jörg@acme.example'],
    ['用户@例子.example', '用户@xn--fsqu00a.example'],
    ['संपर्क@डाटामेल.भारत', 'संपर्क@xn--c2bd4bq1db8d.xn--h2brj9c'],
    [`${'l'.repeat(64)}@acme.example`, `${'l'.repeat(64)}@acme.example`],
    [`a@${label63}.example`, `a@${label63}.example`],
    [`a@${domainOf(252)}`, `a@${domainOf(252)}`],
    [`${'𠀀'.repeat(64)}@acme.example`, `${'𠀀'.repeat(64)}@acme.example`],
  ]
  for (const [sent, identity] of cases) {
    test(`${JSON.stringify(sent.slice(0, 50))} gives an identity`, () => {
      expect(identityEmail(sent)).toBe(identity)
    })
  }
})

describe('no address', () => {
  const texts = [
    '',
    '@',
    'a',
    'a@',
    '@acme.example',
    'a@localhost',
    'a@b@acme.example',
    'a b@acme.example',
    'a@acme..example',
  ]
  const domains = [
    '-acme.example',
    'acme-.example',
    '.acme.example',
    'acme.example.',
    'ac_me.example',
    '[127.0.0.1]',
    'acme。example',
  ]
  const controls = [
    'a\u0000@acme.example',
    'a@acme\t.example',
    '\u0000a@acme.example',
    'a\u0085b@acme.example',
    'a@acme.exa\r\nmple',
  ]
  const hidden = [
    'a\u200b@acme.example',
    'a\u00ad@acme.example',
    'a\u3164@acme.example',
    'a@ac\u200dme.example',
    'a\ufe0f@acme.example',
  ]
  const other = [
    '"a b"@acme.example',
    'a(c)@acme.example',
    'a,b@acme.example',
    '😀@acme.example',
    'Ada <a@acme.example>',
  ]
  const long = [
    `${'l'.repeat(65)}@acme.example`,
    `a@${'d'.repeat(64)}.example`,
    `a@${domainOf(253)}`,
    `${'ö'.repeat(65)}@acme.example`,
  ]
  for (const sent of [...texts, ...domains.map((domain) => `a@${domain}`), ...controls, ...hidden, ...other, ...long]) {
    test(`${JSON.stringify(sent.slice(0, 50))} gives none`, () => {
      expect(identityEmail(sent)).toBeNull()
    })
  }

  for (const value of [undefined, null, 1, true, [], {}, ['a@acme.example']]) {
    test(`${JSON.stringify(value)} gives none`, () => {
      expect(identityEmail(value)).toBeNull()
    })
  }

  // Quadratic time would outlast the test's own limit.
  test.each(['a', 'a.', '@', ' ', 'ö', '-'])('a million of %p are judged in linear time', (part) => {
    expect(identityEmail(`a@${part.repeat(1_000_000)}!`)).toBeNull()
  })

  // The engine gives up on exponential time after a second. Two thousand of them would outlast the test's own limit.
  const letters = 'a'.repeat(60)
  test.each([`${letters}\u00ad@example.test`, `ada@${letters}\u00ad`])(
    'many letters before an invisible character are judged in linear time: %j',
    (text) => {
      expect(Array(2_000).fill(text).map(identityEmail)).toEqual(Array(2_000).fill(null))
    },
  )
})

describe('any text', () => {
  const part = fc.oneof(fc.string({ unit: 'grapheme', minLength: 1 }), fc.stringMatching(/^[A-Za-z0-9.ÄßİΣé-]{1,12}$/))
  const address = fc.tuple(part, part).map(([local, name]) => `${local}@${name}.example`)

  test('an identity is its own identity', () => {
    fc.assert(
      fc.property(fc.oneof(address, fc.emailAddress(), fc.string({ unit: 'binary' })), (text) => {
        const identity = identityEmail(text)
        expect(identity === null ? null : identityEmail(identity)).toBe(identity)
      }),
      { numRuns: 2000 },
    )
  })

  test('an identity holds no white space, control or invisible character', () => {
    fc.assert(
      fc.property(address, (text) => {
        expect(identityEmail(text) ?? '').not.toMatch(/[\s\p{Cc}\p{Cf}]/u)
      }),
    )
  })
})

import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { parseMailbox, readMailAddress } from '../../src/lib/mail-address.ts'

describe('an address', () => {
  test.each([
    ['leads@agency.example', 'leads@agency.example'],
    ["o'hara+leads@Agency.Example", "o'hara+leads@agency.example"],
    ['leads@bücher.example', 'leads@xn--bcher-kva.example'],
    [`${'a'.repeat(64)}@agency.example`, `${'a'.repeat(64)}@agency.example`],
  ])('%s is read', (text, address) => {
    expect(readMailAddress(text)).toBe(address)
  })

  test.each([
    '',
    'leads',
    '@agency.example',
    'leads@',
    'leads@agency',
    'leads@agency.example.',
    'leads@agency.example ',
    ' leads@agency.example',
    'leads@[192.0.2.7]',
    'leads@192.0.2.7',
    'a@b.example,c@d.example',
    'a@b.example c@d.example',
    'a@b.example>\r\nRCPT TO:<x@y.example',
    'a@b.example\nBcc: x@y.example',
    '"a b"@agency.example',
    'a..b@agency.example',
    '.a@agency.example',
    'a@b@agency.example',
    'a(comment)@agency.example',
    '<a@agency.example>',
    'group:a@agency.example;',
    'ä@agency.example',
    'a\u202e@agency.example',
    `${'a'.repeat(65)}@agency.example`,
    `a@${'b.'.repeat(126)}example`,
  ])('%j is refused', (text) => {
    expect(readMailAddress(text)).toBeNull()
  })

  test('that is read holds nothing that a header or an SMTP command gives a meaning', () => {
    const part = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('a', '.', '@', '<', '>', ',', '\r\n', 'b.example'),
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const address = readMailAddress(`${parts.join('')}@b.example`)
        return address === null || (/^[!-~]+@b\.example$/.test(address) && !/[<>,;:"()[\]\\]/.test(address))
      }),
      { numRuns: 2000 },
    )
  })
})

describe('a mailbox', () => {
  test.each([
    ['leads@agency.example', { name: null, address: 'leads@agency.example' }],
    ['<leads@agency.example>', { name: null, address: 'leads@agency.example' }],
    ['Acme Studio <leads@agency.example>', { name: 'Acme Studio', address: 'leads@agency.example' }],
    ['"Acme, Studio" <leads@agency.example>', { name: 'Acme, Studio', address: 'leads@agency.example' }],
    ['"The \\"Acme\\" Studio" <leads@agency.example>', { name: 'The "Acme" Studio', address: 'leads@agency.example' }],
  ])('%s is read', (text, mailbox) => {
    expect(parseMailbox(text)).toEqual({ value: mailbox })
  })

  test.each(['Acme', 'Acme <leads@agency>', 'A <a@b.example>, B <c@d.example>', 'A <a@b.example> B <c@d.example>'])(
    '%s is refused',
    (text) => {
      expect(parseMailbox(text)).toHaveProperty('expected')
    },
  )

  test.each(['A\r\nBcc: x@y.example <a@b.example>', '=?utf-8?q?Bank?= <a@b.example>', 'A\u202eb <a@b.example>'])(
    'of a name that is not shown as it is, %j, is refused',
    (text) => {
      expect(parseMailbox(text)).toHaveProperty('fault')
    },
  )
})

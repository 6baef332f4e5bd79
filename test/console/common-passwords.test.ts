import { expect, test } from 'bun:test'
import { isCommonPassword, isMadeOfNames } from '../../src/console/sign-in/password.ts'

test.each([
  ['common', 'unbelievable'],
  ['common, in another case', 'UNBELIEVABLE'],
  ['common, made of digits', '123456789012'],
  ['a common one with digits after it', 'Password1234'],
  ['a common one with digits and signs around it', '!!summer-2024'],
  ['a common one twice', 'passwordpassword'],
  ['two common ones, a word and digits', 'dragon123456789'],
])('%s: everybody tries %s', async (_, password) => {
  expect(await isCommonPassword(password)).toBe(true)
})

test.each(['correct horse battery staple', 'a tide of quiet lanterns', 'Straße-über-Wälder', 'dragon8842917364'])(
  'not everybody tries %s',
  async (password) => {
    expect(await isCommonPassword(password)).toBe(false)
  },
)

test.each<[string, boolean]>([
  ['capture-acme-2024', true],
  ['Acme acme ACME!', true],
  ['acme-password-acme', true],
  ['correct horse acme staple', false],
  ['a tide of quiet lanterns', false],
])('%s is made of names: %p', async (password, isMade) => {
  expect(await isMadeOfNames(password, ['capture', 'acme', 'de'])).toBe(isMade)
})

import { expect, test } from 'bun:test'
import { Passwords, passwordFault, TooManyPasswords } from '../../src/console/sign-in/password.ts'
import { newRecoveryCodes, recoveryHash } from '../../src/console/sign-in/recovery-codes.ts'
import { textsOf } from '../../src/language/language.ts'
import { OperatorError } from '../../src/lib/operator-error.ts'

const { passwordFaults } = textsOf('en').console.entry

test.each(['short', 'aaaaaaaaaaaaaaaa', 'my-name-is-robin-smith', 'x'.repeat(201)])('%p is no password', (password) => {
  expect(passwordFault(password, 'robin@agency.example', passwordFaults)).not.toBeNull()
})

test.each(['correct horse battery staple', 'Straße-über-Wälder', '🐎 und 🔋 und 📎 und 🏠'])(
  '%p is one',
  (password) => {
    expect(passwordFault(password, 'robin@agency.example', passwordFaults)).toBeNull()
  },
)

test('a password verifies however its letters are composed, and no other does', async () => {
  const passwords = new Passwords()
  const hash = await passwords.hash('Wälder und Straßen'.normalize('NFC'))
  expect(await passwords.verify('Wälder und Straßen'.normalize('NFD'), hash)).toBe(true)
  expect(await passwords.verify('Waelder und Strassen', hash)).toBe(false)
  expect(hash).toStartWith('$argon2id$v=19$m=19456,t=2')
})

test('nothing verifies for a user who is not there', async () => {
  expect(await new Passwords().verify('correct horse battery staple', null)).toBe(false)
})

test('of many that are tried at once those beyond the queue are refused, in words for the page', async () => {
  const passwords = new Passwords()
  const hash = await passwords.hash('correct horse battery staple')
  const tries = Array.from({ length: 20 }, () => passwords.verify('correct horse battery staple', hash))
  const outcomes = await Promise.allSettled(tries)
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
  expect(refused.length).toBeGreaterThan(5)
  for (const { reason } of refused) {
    expect(reason).toBeInstanceOf(TooManyPasswords)
    expect(reason).toBeInstanceOf(OperatorError)
  }
  expect(outcomes.filter((outcome) => outcome.status === 'fulfilled').every(({ value }) => value)).toBe(true)
})

test('recovery codes differ, have 120 bits, and are known by their hash however they are typed', () => {
  const codes = newRecoveryCodes()
  expect(new Set(codes).size).toBe(10)
  const [code = ''] = codes
  expect(code).toMatch(/^[a-z0-9]{4}(?:-[a-z0-9]{4}){5}$/)
  const typed = ` ${code.toUpperCase().replaceAll('-', ' ')} `
  expect(recoveryHash(typed)).toBe(recoveryHash(code))
  expect(new Set(codes.map(recoveryHash)).size).toBe(10)
})

test('strangers who fill the queue leave places to browsers in which the user has signed in before', async () => {
  const passwords = new Passwords()
  const hash = await passwords.hash('correct horse battery staple')
  const strangers = Array.from({ length: 20 }, () => passwords.verify('not the password', hash).catch(() => 'refused'))
  expect(await passwords.verify('correct horse battery staple', hash, { isKnown: true })).toBe(true)
  expect(await Promise.all(strangers)).toContain('refused')
})

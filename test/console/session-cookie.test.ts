import { expect, test } from 'bun:test'
import {
  clearedSessionCookie,
  newSessionSecret,
  sessionCookie,
  sessionSecret,
} from '../../src/console/session/session.ts'

const [secret, https, http] = [
  newSessionSecret(),
  { secure: true, cookieMark: 'a1b2c3d4' },
  { secure: false, cookieMark: 'a1b2c3d4' },
]
const [pair = ''] = sessionCookie(secret, https).split(';')

test('the cookie is bound to its host, hidden from scripts, and sent to its own site alone', () => {
  expect(sessionCookie(secret, https)).toMatch(
    /^__Host-console=\w{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
  )
})

test.each([
  ['alone', pair],
  ['among others', `a=1; ${pair}; b=2`],
  ['twice the same', `${pair}; ${pair}`],
])('it is read %s', (_, header) => {
  expect(sessionSecret(header, https)).toBe(secret)
})

test.each<[string, string | null]>([
  ['no header', null],
  ['another name that ends like it', `x${pair}`],
  ['a shorter value', pair.slice(0, -1)],
  ['a longer value', `${pair}x`],
  ['two that differ', `${pair}; ${sessionCookie(newSessionSecret(), https)}`],
  ['the name for plain HTTP', pair.replace('__Host-', '')],
])('%s is no session over https', (_, header) => {
  expect(sessionSecret(header, https)).toBeNull()
})

test('over plain HTTP the cookie has another name, so that neither passes for the other', () => {
  const [plain = ''] = sessionCookie(secret, http).split(';')
  expect(sessionSecret(plain, http)).toBe(secret)
  expect(sessionSecret(plain, https)).toBeNull()
  expect(sessionSecret(pair, http)).toBeNull()
})

test('over plain HTTP the boxes of one host, which differ by port alone, have names of their own', () => {
  const [plain = ''] = sessionCookie(secret, http).split(';')
  expect(plain).toStartWith('console-a1b2c3d4=')
  expect(sessionSecret(plain, { ...http, cookieMark: 'e5f6a7b8' })).toBeNull()
})

test('signing out empties the very cookie', () => {
  expect(clearedSessionCookie(https)).toMatch(/^__Host-console=; Max-Age=0; Path=\/;/)
})

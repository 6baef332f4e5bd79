import { expect, test } from 'bun:test'
import {
  clearedSessionCookie,
  newSessionSecret,
  sessionCookie,
  sessionSecret,
} from '../../src/console/session/session-cookie.ts'

const secret = newSessionSecret()
const [pair = ''] = sessionCookie(secret, true).split(';')

test('the cookie is bound to its host, hidden from scripts, and sent to its own site alone', () => {
  expect(sessionCookie(secret, true)).toMatch(
    /^__Host-console=\w{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
  )
})

test.each([
  ['alone', pair],
  ['among others', `a=1; ${pair}; b=2`],
  ['twice the same', `${pair}; ${pair}`],
])('it is read %s', (_, header) => {
  expect(sessionSecret(header, true)).toBe(secret)
})

test.each<[string, string | null]>([
  ['no header', null],
  ['another name that ends like it', `x${pair}`],
  ['a shorter value', pair.slice(0, -1)],
  ['a longer value', `${pair}x`],
  ['two that differ', `${pair}; ${sessionCookie(newSessionSecret(), true)}`],
  ['the name for plain HTTP', pair.replace('__Host-', '')],
])('%s is no session over https', (_, header) => {
  expect(sessionSecret(header, true)).toBeNull()
})

test('over plain HTTP the cookie has another name, so that neither passes for the other', () => {
  const [plain = ''] = sessionCookie(secret, false).split(';')
  expect(sessionSecret(plain, false)).toBe(secret)
  expect(sessionSecret(plain, true)).toBeNull()
  expect(sessionSecret(pair, false)).toBeNull()
})

test('signing out empties the very cookie', () => {
  expect(clearedSessionCookie(true)).toMatch(/^__Host-console=; Max-Age=0; Path=\/;/)
})

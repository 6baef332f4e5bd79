import { expect, test } from 'bun:test'
import { knownBrowser, knownBrowserCookie } from '../../src/console/sign-in/sign-in.ts'
import { signingKeys } from '../account/sample-signing-keys.ts'

const now = 1_700_000_000_000
const dayMs = 86_400_000
const ada = {
  keys: signingKeys(),
  userId: '01890000-0000-7000-8000-00000000000a',
  now,
  secure: true,
  cookieMark: 'a1b2c3d4',
}
const [cookie = ''] = knownBrowserCookie(ada).split(';')

test('the cookie is bound to its host, hidden from scripts, and names nobody', () => {
  const pattern =
    /^__Host-browser=brows1\.[0-9a-z]+\.\w{22}\.[\w-]{43}; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Strict; Secure$/
  expect(knownBrowserCookie(ada)).toMatch(pattern)
  expect(cookie).not.toContain(ada.userId)
})

test('a browser is known by its cookie for 400 days', () => {
  expect(knownBrowser(cookie, ada)).toMatch(/^\w{22}$/)
  expect(knownBrowser(cookie, { ...ada, now: now + 400 * dayMs - 1 })).not.toBeNull()
  expect(knownBrowser(cookie, { ...ada, now: now + 400 * dayMs })).toBeNull()
})

test('two browsers of one user have tries of their own', () => {
  const [other = ''] = knownBrowserCookie(ada).split(';')
  expect(knownBrowser(other, ada)).not.toBe(knownBrowser(cookie, ada))
})

test.each([
  ['another user', { userId: '01890000-0000-7000-8000-00000000000b' }],
  ['another box', { keys: signingKeys('2') }],
  ['plain HTTP', { secure: false }],
])('a browser is unknown to %s', (_, other) => {
  expect(knownBrowser(cookie, { ...ada, ...other })).toBeNull()
})

test.each([
  ['no header', null],
  ['a changed end', cookie.replace(/\.[0-9a-z]+\./, '.zzzzzz.')],
  ['a changed id', cookie.replace(/\.\w{22}\./, `.${'A'.repeat(22)}.`)],
])('%s is no known browser', (_, header) => {
  expect(knownBrowser(header, ada)).toBeNull()
})

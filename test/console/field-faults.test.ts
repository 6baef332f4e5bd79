import { afterAll, beforeAll, expect, test } from 'bun:test'
import { aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { ConsoleVisitor, password } from '../harness/console-visitor.ts'

let box: Box
let owner: ConsoleVisitor

beforeAll(async () => {
  box = await Box.start([aSite()], { console: { listen: '127.0.0.1:0' } })
  owner = await ConsoleVisitor.owner(box)
}, boxStartMsMax)
afterAll(() => box.stop())

test.each([
  ['/users?new=1', 'email'],
  ['/a/acme/users?new=1', 'email'],
  ['/tokens?new=1', 'name'],
  ['/me/password', 'current'],
  ['/prove?to=/me', 'password'],
])('%s begins with the focus on its first field', async (path, field) => {
  const { text } = await owner.get(path)
  const focused = [...text.matchAll(/<\w+ id="(\w+)"[^>]* autofocus/g)].map(([, id]) => id)
  expect(focused).toEqual([field])
})

test.each([
  ['where there are no passkeys', '127.0.0.1', true],
  ['but not over a passkey', 'localhost', false],
])('an invitation begins with the focus on the new password %s', async (_, host, isFocused) => {
  const link = await ConsoleVisitor.invite(box, [`at-${host}@agency.example`, '--account', 'acme', '--role', 'viewer'])
  const { text } = await new ConsoleVisitor(box).get(new URL(link).pathname, { host: `${host}:${box.consolePort}` })
  expect(/<input id="password"[^>]* autofocus/.test(text)).toBe(isFocused)
})

test.each([
  ['an address that is none', '/users', { email: 'nobody', account: 'acme', role: 'viewer' }, 'email'],
  ['a role without an account', '/users', { email: 'a@agency.example', account: '', role: 'viewer' }, 'account'],
  ['a colleague’s address that is none', '/a/acme/users', { email: 'nobody', role: 'viewer' }, 'email'],
  ['a token without a name', '/tokens', { name: '', account: '*', days: '30' }, 'name'],
  ['a token for too long', '/tokens', { name: 'nightly', account: '*', days: '9999' }, 'days'],
  ['a customer’s name with quotation marks', '/publish', { first: 'plan', name: '"', domain: 'go.new.test' }, 'name'],
  ['a suffix that is none', '/a/acme/domains', { act: 'addSuffix', suffix: 'not a name' }, 'suffix'],
  ['a link to elsewhere', '/a/acme/links', { links: 'https://elsewhere.example/' }, 'links'],
  ['a recipient that is none', '/a/acme/links', { links: 'https://go.acme.test/', email: 'nobody' }, 'email'],
  ['another handle', '/a/acme/remove', { handle: 'acne' }, 'handle'],
  ['another current password', '/me/password', { current: 'another', password, again: password }, 'current'],
  [
    'a new password of a few letters',
    '/me/password',
    { current: password, password: 'short', again: 'short' },
    'password',
  ],
  ['a new password repeated wrongly', '/me/password', { current: password, password, again: 'another' }, 'again'],
  ['a wrong first code', '/me/app', { totp: 'AAAA', code: '000000' }, 'code'],
])('%s is refused at its field', async (_, path, fields, field) => {
  const { text } = await owner.send('POST', path, fields)
  const [, tag = ''] = new RegExp(`<(?:input|select|textarea)( id="${field}"[^>]*)>`).exec(text) ?? []
  expect(tag).toContain('aria-invalid="true"')
  expect(tag).toMatch(new RegExp(`aria-describedby="[^"]*${field}-fault"`))
  expect(text).toMatch(new RegExp(`<p class="fault" role="alert" id="${field}-fault">[^<]`))
  expect(text).not.toContain('class="note bad"')
})

test('password and code are both marked, since it is not said which of them is wrong', async () => {
  for (const path of ['/sign-in', '/prove']) {
    const { text } = await owner.send('POST', path, { email: 'a@agency.example', password: 'wrong', code: '000000' })
    expect(text.match(/aria-describedby="[^"]*password-fault" aria-invalid="true"/g)).toHaveLength(2)
  }
})

test('a period that ends before it begins is refused at its days', async () => {
  const { text } = await owner.get('/a/acme/report?from=2026-03-02&to=2026-03-01')
  expect(text.match(/value="2026-03-0[12]" aria-describedby="period-fault" aria-invalid="true"/g)).toHaveLength(2)
})

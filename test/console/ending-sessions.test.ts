import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { newShortId } from '../../src/lib/id.ts'
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

interface SomeUser {
  visitor: ConsoleVisitor
  email: string
  id: string
}

async function someUser(...role: string[]): Promise<SomeUser> {
  const email = `${newShortId()}@agency.example`
  const visitor = new ConsoleVisitor(box)
  const access = role.length > 0 ? role : ['--account', 'acme', '--role', 'editor']
  await visitor.accept(await ConsoleVisitor.invite(box, [email, ...access]))
  const { items } = JSON.parse((await owner.get(`/api/v1/users?q=${email}`)).text)
  return { visitor, email, id: items[0].id }
}

const isSignedIn = async (visitor: ConsoleVisitor): Promise<boolean> => (await visitor.get('/me')).status === 200

/** Lets an hour pass since the user proved who they are. */
function waitAnHour({ id }: SomeUser): void {
  using database = new Database(join(box.dir, 'data/capture.db'))
  database.run('PRAGMA busy_timeout = 5000')
  database.run('UPDATE console_session SET proved_at = proved_at - 3600000 WHERE user_id = ?', [id])
}

describe('an owner ends all sessions of somebody', () => {
  test.each<[string, (user: SomeUser) => Promise<unknown>]>([
    ['on the page', ({ id }) => owner.send('POST', '/users', { 'end-sessions': id })],
    ['through the API', ({ id }) => owner.send('DELETE', `/api/v1/users/${id}/sessions`)],
    ['with the command', ({ email }) => box.run(['user', 'sign-out', email])],
  ])('%s', async (_, end) => {
    const user = await someUser()
    expect(await isSignedIn(user.visitor)).toBe(true)
    await end(user)
    expect(await isSignedIn(user.visitor)).toBe(false)
    expect(await isSignedIn(owner)).toBe(true)
  })

  test('after confirming who they are', async () => {
    const other = await someUser('--owner')
    const user = await someUser()
    waitAnHour(other)
    const page = await other.visitor.send('POST', '/users', { 'end-sessions': user.id })
    expect(page.headers.get('location')).toStartWith('/prove')
    const api = await other.visitor.send('DELETE', `/api/v1/users/${user.id}/sessions`)
    expect([api.status, JSON.parse(api.text).error.code]).toEqual([403, 'prove_again'])
    expect(await isSignedIn(user.visitor)).toBe(true)
  })

  test('and nobody else does', async () => {
    const [user, editor] = [await someUser(), await someUser()]
    expect((await editor.visitor.send('DELETE', `/api/v1/users/${user.id}/sessions`)).status).toBe(403)
    expect(await isSignedIn(user.visitor)).toBe(true)
  })

  test('named by the number of them', async () => {
    const { email } = await someUser()
    const { stdout } = await box.run(['user', 'sign-out', email, '--json'])
    expect(JSON.parse(stdout)).toEqual({ email, ended: 1 })
  })
})

describe('a user’s own other sessions', () => {
  async function twice(): Promise<{ user: SomeUser; elsewhere: ConsoleVisitor }> {
    const user = await someUser()
    const elsewhere = new ConsoleVisitor(box)
    elsewhere.lastingCookies = user.visitor.lastingCookies
    await elsewhere.send('POST', '/sign-in', { email: user.email, password, code: user.visitor.code(1), to: '/' })
    expect(await isSignedIn(elsewhere)).toBe(true)
    return { user, elsewhere }
  }

  test('end together through the API', async () => {
    const { user, elsewhere } = await twice()
    expect(JSON.parse((await user.visitor.send('DELETE', '/api/v1/sessions')).text)).toEqual({ ended: 1 })
    expect([await isSignedIn(user.visitor), await isSignedIn(elsewhere)]).toEqual([true, false])
  })

  test.each<[string, Record<string, string>]>([
    ['one by one', { end: 'x' }],
    ['together', { 'end-others': '1' }],
  ])('are ended %s by somebody who confirms who they are', async (_, fields) => {
    const { user } = await twice()
    waitAnHour(user)
    expect((await user.visitor.send('POST', '/me', fields)).headers.get('location')).toBe('/prove?to=%2Fme')
  })
})

test.each([
  [
    '/users',
    { email: 'grace@agency.example', role: 'viewer', account: 'acme' },
    ['value="grace@agency.example"', 'value="viewer" required checked', 'value="acme" selected'],
  ],
  [
    '/tokens',
    { name: 'website', account: 'acme', 'scope-read': '1', days: '7' },
    ['value="website"', 'name="scope-read" value="1" checked', 'value="7"'],
  ],
])(
  'a form of %s that was sent too late comes back once, after its sender has confirmed who they are',
  async (path, typed, shown) => {
    const user = await someUser('--owner')
    waitAnHour(user)
    await user.visitor.send('POST', path, typed)
    const proved = await user.visitor.send('POST', '/prove', { to: path, password, code: user.visitor.code(1) })
    expect(proved.headers.get('location')).toBe(path)
    const { text } = await user.visitor.get(path)
    for (const part of [...shown, 'You have confirmed who you are']) expect(text).toContain(part)
    expect((await user.visitor.get(path)).text).not.toContain('You have confirmed who you are')
  },
)

test('an answer whose reader has to confirm who they are first is shown after that', async () => {
  const user = await someUser()
  const path = '/me/recovery-codes'
  const made = await user.visitor.send('POST', path, {}, { 'sec-fetch-mode': 'navigate' })
  waitAnHour(user)
  const asked = await user.visitor.get(made.headers.get('location') ?? '')
  const to = new URL(asked.headers.get('location') ?? '', 'http://localhost').searchParams.get('to') ?? ''
  const proved = await user.visitor.send('POST', '/prove', { to, password, code: user.visitor.code(1) })
  expect((await user.visitor.get(proved.headers.get('location') ?? '')).text).toContain('Keep these codes')
})

test('a script is told that the session has ended, and a browser is led to the sign-in', async () => {
  const visitor = new ConsoleVisitor(box)
  const sent = async (mode: string) => {
    const { status, headers } = await visitor.send('POST', '/a/acme', { do: 'done' }, { 'sec-fetch-mode': mode })
    return [status, headers.get('location')]
  }
  expect(await sent('cors')).toEqual([401, null])
  expect(await sent('navigate')).toEqual([303, '/sign-in?to=%2Fa%2Facme'])
})

test('confirming who one is gives the session a new cookie, and the old one is good for nothing', async () => {
  const { visitor } = await someUser()
  const before = visitor.cookie
  await visitor.send('POST', '/prove', { password, code: visitor.code(1), to: '/me' })
  expect(visitor.cookie).not.toBe(before)
  expect(await isSignedIn(visitor)).toBe(true)
  visitor.cookie = before
  expect(await isSignedIn(visitor)).toBe(false)
})

test('signing in again ends the session that the browser had', async () => {
  const { visitor, email } = await someUser()
  const before = visitor.cookie
  await visitor.send('POST', '/sign-in', { email, password, code: visitor.code(1), to: '/' })
  visitor.cookie = before
  expect(await isSignedIn(visitor)).toBe(false)
})

test('signing out clears what the browser kept of the console, but no cookies of other websites of the domain', async () => {
  const { visitor } = await someUser()
  const { headers } = await visitor.send('POST', '/sign-out', {})
  expect(headers.get('clear-site-data')).toBe('"cache", "storage"')
  expect(headers.getSetCookie()).toEqual([
    expect.stringMatching(/^console-[0-9a-f]{8}=; Max-Age=0; Path=\/; HttpOnly; SameSite=Strict$/),
  ])
})

test('another authenticator app ends all other sessions', async () => {
  const { visitor, email } = await someUser()
  const elsewhere = new ConsoleVisitor(box)
  elsewhere.lastingCookies = visitor.lastingCookies
  await elsewhere.send('POST', '/sign-in', { email, password, code: visitor.code(1), to: '/' })
  await visitor.changeApp()
  expect([await isSignedIn(visitor), await isSignedIn(elsewhere)]).toEqual([true, false])
})

import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { base32Bytes, totpCode } from '../../src/console/sign-in/totp.ts'
import { newShortId } from '../../src/lib/id.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { ConsoleVisitor, password } from '../harness/console-visitor.ts'

let box: Box
beforeAll(async () => {
  box = await Box.start([], { console: { listen: '127.0.0.1:0' } })
}, boxStartMsMax)
afterAll(() => box.stop())

const newWords = 'a tide of quiet lanterns'
const changed = { current: password, password: newWords, again: newWords }
const locationOf = ({ headers }: { headers: Headers }) => headers.get('location')

async function signIn(email: string, fields: { password: string; code: string }): Promise<number> {
  return (await new ConsoleVisitor(box).send('POST', '/sign-in', { email, to: '/', ...fields })).status
}

async function ownerNamed(name: string): Promise<{ owner: ConsoleVisitor; email: string }> {
  const owner = new ConsoleVisitor(box)
  const email = `${name}@agency.example`
  await owner.accept(await ConsoleVisitor.invite(box, [email, '--owner']))
  return { owner, email }
}

function changeRows(statement: string, ...values: string[]): void {
  using database = new Database(join(box.dir, 'data/capture.db'))
  database.run('PRAGMA busy_timeout = 5000')
  database.run(statement, values)
}

describe('a new password', () => {
  test('takes the place of the old one', async () => {
    const { owner, email } = await ownerNamed('password')
    expect(locationOf(await owner.send('POST', '/me/password', changed))).toBe('/me')
    expect(await signIn(email, { password, code: owner.code(1) })).toBe(403)
    expect(await signIn(email, { password: newWords, code: owner.code(1) })).toBe(303)
  })

  test('ends the sessions of every other browser', async () => {
    const { owner, email } = await ownerNamed('sessions')
    const elsewhere = new ConsoleVisitor(box)
    await elsewhere.send('POST', '/sign-in', { email, password, code: owner.code(1), to: '/' })
    await owner.send('POST', '/me/password', changed)
    expect(locationOf(await elsewhere.get('/me'))).toStartWith('/sign-in')
    expect((await owner.get('/me')).status).toBe(200)
  })

  test.each([
    ['everybody tries', 'Password123456', 'Many people use this password'],
    ['is made of names of the box', 'brisk-capture', 'names of accounts, websites or Capture'],
  ])('that %s is refused', async (_, words, message) => {
    const { owner } = await ownerNamed(newShortId())
    const { status, text } = await owner.send('POST', '/me/password', { ...changed, password: words, again: words })
    expect({ status, text }).toEqual({ status: 422, text: expect.stringContaining(message) })
  })

  test.each([
    ['without the current one', { password: newWords, again: newWords }],
    ['with a wrong current one', { ...changed, current: newWords }],
  ])('%s is refused', async (_, fields) => {
    const { owner } = await ownerNamed(newShortId())
    const { status, text } = await owner.send('POST', '/me/password', fields)
    expect({ status, text }).toEqual({ status: 422, text: expect.stringContaining('The current password is wrong.') })
  })

  test('is tried ten times in ten minutes', async () => {
    const { owner } = await ownerNamed('guessing')
    for (let n = 0; n < 10; n++) await owner.send('POST', '/me/password', { ...changed, current: newWords })
    expect((await owner.send('POST', '/me/password', changed)).text).toContain('Too many tries')
  })

  test('that is weak is refused, and the old one stays', async () => {
    const { owner, email } = await ownerNamed('weak')
    const refused = await owner.send('POST', '/me/password', { ...changed, password: 'short', again: 'short' })
    expect({ status: refused.status, text: refused.text }).toEqual({
      status: 422,
      text: expect.stringContaining('role="alert"'),
    })
    expect(await signIn(email, { password, code: owner.code(1) })).toBe(303)
  })

  test('is no other site’s to set', async () => {
    const { owner } = await ownerNamed('forged')
    const forged = await owner.send('POST', '/me/password', changed, { 'sec-fetch-site': 'cross-site' })
    expect(forged.status).toBe(403)
  })
})

test('another authenticator app takes the place of the old one', async () => {
  const { owner, email } = await ownerNamed('app')
  const { text } = await owner.get('/me/app')
  const key = /name="totp" value="([A-Z2-7]+)"/.exec(text)?.[1] ?? ''
  const secret = base32Bytes(key) ?? new Uint8Array()
  const step = Math.floor(Date.now() / 30_000)
  expect(locationOf(await owner.send('POST', '/me/app', { totp: key, code: totpCode(secret, step) }))).toBe('/me')
  expect(await signIn(email, { password, code: owner.code(1) })).toBe(403)
  expect(await signIn(email, { password, code: totpCode(secret, step + 1) })).toBe(303)
})

test('new recovery codes sign in once each, and the old ones no more', async () => {
  const owner = new ConsoleVisitor(box)
  const email = 'codes@agency.example'
  const old = codesIn((await owner.accept(await ConsoleVisitor.invite(box, [email, '--owner']))).text)
  const fresh = codesIn((await owner.send('POST', '/me/recovery-codes', {})).text)
  expect({ old: old.length, fresh: fresh.length }).toEqual({ old: 10, fresh: 10 })
  expect(await signIn(email, { password, code: old[0] ?? '' })).toBe(403)
  expect(await signIn(email, { password, code: fresh[0] ?? '' })).toBe(303)
  expect(await signIn(email, { password, code: fresh[0] ?? '' })).toBe(403)
})

test('new recovery codes reach their user also where a script asks for them', async () => {
  const { owner } = await ownerNamed('script')
  const answer = await owner.send('POST', '/me/recovery-codes', {}, { accept: 'application/json' })
  expect(codesIn(answer.text)).toHaveLength(10)
})

const codesIn = (text: string): string[] => text.match(/\b[a-z0-9]{4}(?:-[a-z0-9]{4}){5}\b/g) ?? []

test('the end of a session stands in the audit log', async () => {
  const { owner, email } = await ownerNamed('ending')
  const elsewhere = new ConsoleVisitor(box)
  await elsewhere.send('POST', '/sign-in', { email, password, code: owner.code(1), to: '/' })
  const { items } = JSON.parse((await owner.get('/api/v1/sessions')).text)
  const { id } = items.find(({ current }: { current: boolean }) => !current)
  expect((await owner.get('/me')).text).toContain('End all other sessions')
  await owner.send('POST', '/me', { end: id })
  const audit = JSON.parse((await owner.get(`/api/v1/audit?q=${id}`)).text)
  expect(audit.items).toContainEqual(
    expect.objectContaining({ action: 'session.end', actor: expect.objectContaining({ label: email }) }),
  )
})

test('there are no other sessions to end after an invitation', async () => {
  const { owner } = await ownerNamed('alone')
  expect((await owner.get('/me')).text).not.toContain('End all other sessions')
})

test('each way to sign in says how it stands, and a confirmation has nothing beside it', async () => {
  const { owner } = await ownerNamed('states')
  const statesOf = (text: string) =>
    [...text.matchAll(/class="state"><span class="mark (\w+)">([^<]+)</g)].map(([, tone, word]) => `${tone} ${word}`)
  expect(statesOf((await owner.get('/me')).text)).toEqual(['good Set', 'good On', 'good 10 left'])
  const { text } = await owner.get('/prove?to=/me')
  expect(text).toContain('<main class="bare"')
  expect(text).not.toContain('<nav')
})

test('a proof says who gives it and what for, and leads back', async () => {
  const { owner } = await ownerNamed('prover')
  const { text } = await owner.get('/prove?to=/me/password')
  expect(text).toMatch(/<p><strong>Change the password\.<\/strong> You signed in as [^ ]+@[^ ]+ a while ago\./s)
  expect(text).toContain('<a href="/me">Cancel</a>')
})

test('whoever has a password is asked for it and a code, and whoever has none for a recovery code alone', async () => {
  const { owner, email } = await ownerNamed('without')
  const asked = async () =>
    [...(await owner.get('/prove?to=/me')).text.matchAll(/<label for="\w+">([^<]+)/g)].map(([, label]) => label)
  expect(await asked()).toEqual(['Password', 'Code'])
  changeRows('UPDATE console_user SET password_hash = NULL, totp_secret = NULL WHERE email = ?', email)
  expect(await asked()).toEqual(['Recovery code'])
  expect((await owner.send('POST', '/prove', { code: 'wrong' })).text).toContain('The code is wrong.')
})

test.each([
  ['/me#passkey-name', '/me'],
  ['/me/password', '/me'],
  ['/users?new=1', '/users?new=1'],
  ['/a/acme/users', '/a/acme/users'],
  ['/a/acme/remove', '/a/acme/settings'],
  ['/a/acme/leads/remove?id=1&id=2', '/a/acme'],
  ['/a/acme/s/1/erase', '/a/acme/s/1'],
  ['/a/acme/persons/1/erase', '/a/acme/persons/1'],
])('whoever cancels the proof for %s is led to %s', async (to, back) => {
  const { owner } = await ownerNamed(newShortId())
  const { text } = await owner.get(`/prove?to=${encodeURIComponent(to)}`)
  expect(text).toContain(`<a href="${back}">Cancel</a>`)
})

test('whoever cancels a proof has what they typed again, and is not told that they confirmed', async () => {
  const { owner } = await ownerNamed('cancelling')
  changeRows('UPDATE console_session SET proved_at = proved_at - 3600000')
  const asked = await owner.send('POST', '/users', { email: 'typed@agency.example', role: 'owner' })
  expect(locationOf(asked)).toBe('/prove?to=%2Fusers')
  const { text } = await owner.get('/users')
  expect([text.includes('value="typed@agency.example"'), text.includes('You have confirmed')]).toEqual([true, false])
})

test('only whoever has an authenticator app reads that it stops working', async () => {
  const { owner, email } = await ownerNamed('keyed')
  const hint = async () => /<p>(Your [^<]*)<\/p>/.exec((await owner.get('/me/app')).text)?.[1]
  expect(await hint()).toBe('Your former app stops working, and your other sessions end.')
  changeRows('UPDATE console_user SET totp_secret = NULL WHERE email = ?', email)
  expect(await hint()).toBe('Your other sessions end.')
})

test('the page of recovery codes says what new ones do before its button', async () => {
  const { owner } = await ownerNamed('replacing')
  const { text } = await owner.get('/me/recovery-codes')
  expect(text).toMatch(/10 of 10 codes left\..*New codes replace all of them\..*Make new codes/s)
})

test('what an authenticator app is stands outside what is folded', async () => {
  const { owner } = await ownerNamed('unfolded')
  const { text } = await owner.get('/me/app')
  expect(text.replace(/<details>.*?<\/details>/s, '')).toContain('with an app such as Aegis')
})

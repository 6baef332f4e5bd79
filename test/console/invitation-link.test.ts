import { afterAll, beforeAll, expect, test } from 'bun:test'
import { aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { ConsoleVisitor } from '../harness/console-visitor.ts'

let box: Box
beforeAll(async () => {
  box = await Box.start([aSite({ account: 'acme' })], { console: { listen: '127.0.0.1:0' } })
}, boxStartMsMax)
afterAll(() => box.stop())

const byLink = { 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'cross-site' }
const invite = (name: string) => ConsoleVisitor.invite(box, [`${name}@agency.example`, '--owner'])

test('a browser that follows an invitation has no secret in its address, and the link is not spent', async () => {
  const visitor = new ConsoleVisitor(box)
  const { pathname } = new URL(await invite('ada'))
  for (let opened = 0; opened < 2; opened++) {
    const { status, headers, text } = await visitor.get(pathname, byLink)
    expect({ status, to: headers.get('location'), text }).toEqual({ status: 303, to: '/invitation', text: '' })
    expect(headers.get('referrer-policy')).toBe('no-referrer')
  }
  expect((await visitor.get('/invitation', byLink)).text).toContain('You were invited as <strong>ada@agency.example')
})

test('a new user reads to which account the invitation is, in its name and colour', async () => {
  const invited = ['guest@acme.example', '--account', 'acme', '--role', 'viewer']
  const { pathname } = new URL(await ConsoleVisitor.invite(box, invited))
  expect((await new ConsoleVisitor(box).get(pathname)).text).toMatch(/fill="#\w{6}".*The acme studio/s)
})

test('who is invited reads to what and by whom, and a customer no role', async () => {
  const owner = await ConsoleVisitor.owner(box)
  const invited = async (role: string): Promise<string> => {
    const { text } = await owner.send('POST', '/users', { email: `${role}@acme.example`, account: 'acme', role })
    const [, path = ''] = /id="link">[^<]*?(\/invitation\/\w+)</.exec(text) ?? []
    return (await new ConsoleVisitor(box).get(path)).text
  }
  const [editor, client] = [await invited('editor'), await invited('client')]
  expect(editor).toContain('Access: editor of The acme studio.')
  expect(client).toContain('Access: The acme studio.')
  for (const text of [editor, client]) expect(text).toMatch(/Invited by \S+@\S+\.</)
})

test('a link that was used names nobody', async () => {
  const owner = await ConsoleVisitor.owner(box)
  const { text } = await owner.send('POST', '/users', { email: 'again@acme.example', account: 'acme', role: 'viewer' })
  const [, link = ''] = /id="link">([^<]+)</.exec(text) ?? []
  await new ConsoleVisitor(box).accept(link)
  expect((await new ConsoleVisitor(box).get(new URL(link).pathname)).text).not.toMatch(/\S@\S/)
})

test('the form without the secret in its address makes a user who is signed in', async () => {
  const visitor = new ConsoleVisitor(box)
  const link = new URL(await invite('bob'))
  await visitor.get(link.pathname, byLink)
  expect((await visitor.accept(new URL('/invitation', link).href)).status).toBe(200)
  expect((await visitor.get('/')).text).toContain('bob@agency.example')
  expect((await visitor.get('/invitation')).status).toBe(410)
})

test.each([
  ['without an invitation', () => '/'],
  ['with one that a user accepted', async () => new URL(await invite('hana')).pathname],
])('nobody is offered a passkey %s', async (_, path) => {
  const visitor = new ConsoleVisitor(box)
  const opened = await path()
  await visitor.get(opened, byLink)
  if (opened !== '/') await visitor.accept(new URL('/invitation', 'http://localhost').href)
  expect((await visitor.sendJson('POST', '/invitation/passkey/options', {})).status).toBe(403)
})

test.each(['', 'null', '{"id":"x"}'])('a passkey that is none (%j) makes nobody', async (credential) => {
  const { pathname } = new URL(await invite('ines'))
  expect((await new ConsoleVisitor(box).send('POST', pathname, { credential })).status).toBe(422)
  expect((await new ConsoleVisitor(box).get(pathname)).status).toBe(200)
})

test('the cookie comes along from a mail, is hidden from scripts, and goes after an hour', async () => {
  const { pathname } = new URL(await invite('cleo'))
  const { headers } = await new ConsoleVisitor(box).get(pathname, byLink)
  expect(headers.getSetCookie()).toEqual([
    expect.stringMatching(/^invitation-[0-9a-f]{8}=\w{43}; Max-Age=3600; Path=\/; HttpOnly; SameSite=Lax$/),
  ])
})

test('a link that is good for nothing says so at once', async () => {
  expect((await new ConsoleVisitor(box).get(`/invitation/${'x'.repeat(43)}`, byLink)).status).toBe(410)
})

const aUser = async (name: string) => {
  const email = `${name}@agency.example`
  const visitor = new ConsoleVisitor(box)
  await visitor.accept(await ConsoleVisitor.invite(box, [email, '--account', 'acme', '--role', 'admin']))
  return { email, visitor }
}

const inviteAs = (email: string, role: string) =>
  ConsoleVisitor.invite(box, [email, '--account', 'acme', '--role', role])

const rolesOf = async (email: string): Promise<string[]> => {
  const { stdout } = await box.run(['user', 'list', '--json'])
  const users = JSON.parse(stdout) as { email: string; roles: { role: string }[] }[]
  return users.filter((user) => user.email === email).flatMap(({ roles }) => roles.map(({ role }) => role))
}

test('an invitation of somebody who is a user changes nothing for others who have the link, signed in or not', async () => {
  const { email } = await aUser('dora')
  const { pathname } = new URL(await inviteAs(email, 'client'))
  for (const other of [new ConsoleVisitor(box), (await aUser('emil')).visitor]) {
    expect((await other.get(pathname)).text).toContain(`Sign in as ${email}`)
    expect((await other.send('POST', pathname, {})).status).toBe(403)
  }
  expect(await rolesOf(email)).toEqual(['admin'])
})

test('a user who has signed in sees what an invitation makes of them, and accepts it', async () => {
  const { email, visitor } = await aUser('fay')
  await aUser('gus')
  await visitor.get(new URL(await inviteAs(email, 'viewer')).pathname, byLink)
  expect((await visitor.get('/invitation')).text).toContain('New access: viewer of The acme studio.')
  expect((await visitor.send('POST', '/invitation', {})).status).toBe(303)
  expect(await rolesOf(email)).toEqual(['viewer'])
})

test('a browser that comes from a mail, without the cookie of its session, asks once more before it says to sign in', async () => {
  const { email, visitor } = await aUser('gil')
  await visitor.get(new URL(await inviteAs(email, 'viewer')).pathname, byLink)
  visitor.cookie = ''
  expect((await visitor.get('/invitation', byLink)).headers.get('refresh')).toBe('0')
})

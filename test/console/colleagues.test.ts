import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { ConsoleVisitor } from '../harness/console-visitor.ts'

let box: Box
let admin: ConsoleVisitor
beforeAll(async () => {
  box = await Box.start([aSite(), ...['other', 'third'].map((account) => aSite({ account }))], {
    console: { listen: '127.0.0.1:0' },
  })
  admin = await colleague('admin@acme.example', 'admin')
}, boxStartMsMax)
afterAll(() => box.stop())

async function colleague(email: string, role: string, account = 'acme'): Promise<ConsoleVisitor> {
  const visitor = new ConsoleVisitor(box)
  await visitor.accept(await ConsoleVisitor.invite(box, [email, '--account', account, '--role', role]))
  return visitor
}

/** Gives a user who has signed in a role in another account, too. */
async function alsoIn(visitor: ConsoleVisitor, email: string, account: string): Promise<void> {
  await visitor.send(
    'POST',
    new URL(await ConsoleVisitor.invite(box, [email, '--account', account, '--role', 'viewer'])).pathname,
  )
}

const users = '/api/v1/accounts/acme/users'
const statusOf = async (visitor: ConsoleVisitor, path: string) => (await visitor.get(path)).status
const listed = async (): Promise<Record<string, string>> =>
  Object.fromEntries(
    (JSON.parse((await admin.get(users)).text).items as { email: string; role: string }[]).map(({ email, role }) => [
      email,
      role,
    ]),
  )

describe('an admin of an account', () => {
  test('invites somebody to it, who accepts the link', async () => {
    const { status, text } = await admin.sendJson('POST', `${users}/invite`, {
      email: 'New@Acme.example',
      role: 'sales',
    })
    expect(status).toBe(201)
    const visitor = new ConsoleVisitor(box)
    await visitor.accept(JSON.parse(text).link)
    expect(await statusOf(visitor, '/a/acme/persons')).toBe(200)
    expect(await listed()).toMatchObject({ 'new@acme.example': 'sales' })
  })

  test.each([
    ['an owner of the box', { email: 'o@acme.example', owner: true }],
    ['a role above their own', { email: 'o@acme.example', role: 'owner' }],
  ])('makes nobody %s', async (_, body) => {
    expect((await admin.sendJson('POST', `${users}/invite`, body)).status).toBe(422)
  })

  test('neither invites to nor sees the users of another account', async () => {
    const elsewhere = '/api/v1/accounts/other/users'
    const body = { email: 'o@acme.example', role: 'viewer' }
    expect((await admin.sendJson('POST', `${elsewhere}/invite`, body)).status).toBe(404)
    expect(await statusOf(admin, elsewhere)).toBe(404)
    expect(await statusOf(admin, '/a/other/users')).toBe(404)
  })

  test('manages neither owners of the box nor users of other accounts, whom they learn nothing of', async () => {
    const owner = await ConsoleVisitor.owner(box)
    const ownerEmail = /owner-\w+@agency\.example/.exec((await owner.get('/')).text)?.[0] ?? ''
    await colleague('stranger@other.example', 'viewer', 'other')
    const answers = []
    for (const email of [ownerEmail, 'stranger@other.example', 'nobody@nowhere.example']) {
      answers.push(await admin.sendJson('PUT', `${users}/${email}`, { role: 'viewer' }))
      answers.push(await admin.send('DELETE', `${users}/${email}`))
    }
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(404))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(await statusOf(owner, '/users')).toBe(200)
  })

  test('does so on the page, where the least role is chosen', async () => {
    const { text } = await admin.get('/a/acme/users?new=1')
    expect(text).toContain('value="client" required checked')
    const made = await admin.send('POST', '/a/acme/users', { email: 'page@acme.example', role: 'client' })
    expect(made.text).toMatch(/\/invitation\/[a-km-np-z2-9]{43}</)
    expect((await admin.get('/a/acme/users')).text).toContain('page@acme.example')
    await admin.send('POST', '/a/acme/users', { withdraw: 'page@acme.example' })
    expect((await admin.get('/a/acme/users')).text).not.toContain('page@acme.example')
  })
})

test('a colleague who is no admin sees addresses and roles, and nobody’s last sign-in', async () => {
  const viewer = await colleague('curious@acme.example', 'viewer')
  const { text } = await viewer.get('/a/acme/users')
  expect(text).toContain('admin@acme.example')
  expect(text).not.toMatch(/Last sign-in|format=csv/)
  expect([await statusOf(viewer, users), await statusOf(viewer, `${users}?format=csv`)]).toEqual([403, 403])
  expect((await admin.get('/a/acme/users')).text).toMatch(/format=csv.*Last sign-in/s)
})

describe('a user whose role changes', () => {
  test('has the new rights in a session that is open', async () => {
    const visitor = await colleague('changing@acme.example', 'viewer')
    expect(await statusOf(visitor, '/a/acme/publish')).toBe(403)
    await admin.sendJson('PUT', `${users}/changing@acme.example`, { role: 'editor' })
    expect(await statusOf(visitor, '/a/acme/publish')).toBe(200)
    await box.run(['user', 'role', 'changing@acme.example', '--account', 'acme', '--role', 'client'])
    expect(await statusOf(visitor, '/a/acme/publish')).toBe(403)
    expect(await statusOf(visitor, '/a/acme/persons')).toBe(403)
    expect((await admin.get(users)).text).toContain('"role":"client"')
  })

  test('in one of several accounts is changed by an act that names the account', async () => {
    await alsoIn(await colleague('several@acme.example', 'viewer'), 'several@acme.example', 'other')
    const { text } = await (await ConsoleVisitor.owner(box)).get('/users')
    const row = /several@acme\.example<\/td>.*?<\/tr>/s.exec(text)?.[0] ?? ''
    expect([...row.matchAll(/<span>(Change[^<]*)</g)].map(([, word]) => word)).toEqual([
      'Change role in The acme studio',
      'Change role in The other studio',
    ])
  })

  test('is changed by an owner in the list of all users, and noted in the account', async () => {
    await colleague('promoted@acme.example', 'viewer')
    const owner = await ConsoleVisitor.owner(box)
    expect((await owner.get('/a/acme/users')).text).toContain('Owners of the box, with every account: ')
    expect((await admin.get('/a/acme/users')).text).not.toContain('Owners of the box')
    const { text } = await owner.get('/users')
    const [, id = ''] = /value="([^"]+)">Give this role<span class="unseen"> to promoted@acme/.exec(text) ?? []
    expect(text).toContain('viewer of The acme studio')
    // Nobody removes themselves by mistake.
    expect(/>you<\/span>.*?<\/tr>/s.exec(text)?.[0]).not.toContain('Remove')
    const form = { from: 'users', change: id, role: 'sales' }
    const changed = await owner.send('POST', '/a/acme/users', form)
    expect([changed.status, changed.headers.get('location')]).toEqual([303, '/users'])
    expect((await owner.get('/users')).text).toContain('promoted@acme.example is sales of')
    const { items } = JSON.parse((await owner.get('/api/v1/audit?q=user.role')).text)
    expect(items[0]).toMatchObject({ account: 'acme', subject: 'promoted@acme.example', after: { role: 'sales' } })
  })

  test('to less than admin has no open invitation left that they made', async () => {
    const second = await colleague('second@acme.example', 'admin')
    const { text } = await second.sendJson('POST', `${users}/invite`, { email: 'friend@acme.example', role: 'admin' })
    await admin.sendJson('PUT', `${users}/second@acme.example`, { role: 'viewer' })
    expect((await new ConsoleVisitor(box).accept(JSON.parse(text).link)).status).toBe(410)
  })

  test('to less than admin cannot take it back by an invitation that was open to them', async () => {
    const raised = await colleague('raised-again@acme.example', 'admin')
    const body = { email: 'raised-again@acme.example', role: 'admin' }
    const own = JSON.parse((await raised.sendJson('POST', `${users}/invite`, body)).text).link
    const { pathname } = new URL(
      await ConsoleVisitor.invite(box, [body.email, '--account', 'acme', '--role', 'editor']),
    )
    await admin.sendJson('PUT', `${users}/${body.email}`, { role: 'viewer' })
    for (const path of [new URL(own).pathname, pathname]) expect((await raised.send('POST', path, {})).status).toBe(410)
    expect(await listed()).toMatchObject({ [body.email]: 'viewer' })
  })

  test('by an invitation that they accept loses what the former role had made', async () => {
    const email = 'accepting@acme.example'
    const accepting = await colleague(email, 'admin')
    const friend = { email: 'friend-of@acme.example', role: 'admin' }
    const { link } = JSON.parse((await accepting.sendJson('POST', `${users}/invite`, friend)).text)
    const lesser = await ConsoleVisitor.invite(box, [email, '--account', 'acme', '--role', 'client'])
    expect((await accepting.send('POST', new URL(lesser).pathname, {})).status).toBe(303)
    expect((await new ConsoleVisitor(box).accept(link)).status).toBe(410)
  })

  test('by an invitation is never the last admin, who can accept once there is another', async () => {
    const lone = await colleague('last@third.example', 'admin', 'third')
    const lesser = await ConsoleVisitor.invite(box, ['last@third.example', '--account', 'third', '--role', 'client'])
    const accepts = () => lone.send('POST', new URL(lesser).pathname, {})
    const refused = await accepts()
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('no admin left')])
    expect(await statusOf(lone, '/a/third/users')).toBe(200)
    await colleague('next@third.example', 'admin', 'third')
    expect((await accepts()).status).toBe(303)
    expect(await statusOf(lone, '/a/third/users')).toBe(403)
  })

  test('is never the last admin of the account, unless whoever owns the box says so', async () => {
    const demotion = await admin.sendJson('PUT', `${users}/admin@acme.example`, { role: 'viewer' })
    expect([demotion.status, demotion.text]).toEqual([409, expect.stringContaining('no admin left')])
    expect((await admin.send('DELETE', `${users}/admin@acme.example`)).status).toBe(409)
    const owner = await ConsoleVisitor.owner(box)
    const lone = await colleague('lone@other.example', 'admin', 'other')
    expect(await statusOf(lone, '/a/other/users')).toBe(200)
    const path = '/api/v1/accounts/other/users/lone@other.example'
    expect((await owner.sendJson('PUT', path, { role: 'viewer' })).status).toBe(200)
    expect((await lone.send('DELETE', path)).status).toBe(403)
  })

  test('is not raised by a token beyond its own scopes', async () => {
    await colleague('raised@acme.example', 'viewer')
    const scopes = ['--account', 'acme', '--scope', 'read,admin', '--expires', '1d']
    const { stdout } = await box.run(['token', 'create', '--name', 'hr', ...scopes, '--json'])
    const raise = (role: string) =>
      fetch(`http://127.0.0.1:${box.consolePort}${users}/raised@acme.example`, {
        method: 'PUT',
        headers: {
          host: 'localhost',
          authorization: `Bearer ${JSON.parse(stdout).token}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ role }),
      })
    expect([(await raise('admin')).status, (await raise('sales')).status, (await raise('client')).status]).toEqual([
      403, 403, 200,
    ])
  })
})

describe('a user who is removed from an account', () => {
  test('keeps another account, and loses this one at once', async () => {
    const visitor = await colleague('both@acme.example', 'editor')
    await alsoIn(visitor, 'both@acme.example', 'other')
    expect((await admin.send('DELETE', `${users}/both@acme.example`)).text).toBe(
      '{"email":"both@acme.example","removed":true}',
    )
    expect([await statusOf(visitor, '/a/acme'), await statusOf(visitor, '/a/other')]).toEqual([404, 200])
  })

  test('and has no other access is removed from the box, sessions and all', async () => {
    const visitor = await colleague('only@acme.example', 'editor')
    expect((await admin.send('DELETE', `${users}/only@acme.example`)).text).toContain('"ended"')
    expect(await statusOf(visitor, '/')).toBe(303)
    expect((await box.run(['user', 'list'])).stdout).not.toContain('only@acme.example')
  })

  test('is named in the audit log with the account', async () => {
    const owner = await ConsoleVisitor.owner(box)
    await colleague('noted@acme.example', 'viewer')
    await admin.sendJson('PUT', `${users}/noted@acme.example`, { role: 'sales' })
    await box.run(['user', 'remove', 'noted@acme.example', '--account', 'acme'])
    const { items } = JSON.parse((await owner.get('/api/v1/audit?q=noted@acme.example')).text)
    expect(items.slice(0, 2)).toMatchObject([
      { action: 'user.remove', account: 'acme', before: { role: 'sales' }, actor: { kind: 'command' } },
      { action: 'user.role', account: 'acme', before: { role: 'viewer' }, after: { role: 'sales' } },
    ])
  })
})

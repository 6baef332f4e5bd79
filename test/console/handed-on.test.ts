import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { aSite } from '../harness/a-site.ts'
import { type ApiCalled, apiOf, newToken, refusalOf } from '../harness/api-call.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { ConsoleVisitor } from '../harness/console-visitor.ts'

let box: Box
beforeAll(async () => {
  box = await Box.start([aSite(), aSite({ account: 'other' })], { console: { listen: '127.0.0.1:0' } })
}, boxStartMsMax)
afterAll(() => box.stop())

const allScopes = ['read', 'publish', 'release', 'erase', 'admin']

/** A token of the box that lives for ten days. */
async function tokenWith(scopes: string[]) {
  const argv = [
    'token',
    'create',
    '--name',
    'parent',
    '--box',
    '--scope',
    scopes.join(','),
    '--expires',
    '10d',
    '--json',
  ]
  const { id, token } = JSON.parse((await box.run(argv)).stdout) as { id: string; token: string }
  return { id, token, call: apiOf(box, { token }) }
}

type Call = Awaited<ReturnType<typeof tokenWith>>['call']

const mint = (call: Call, scopes: string[], { account, days = 5 }: { account?: string; days?: number } = {}) =>
  call('POST', '/tokens', { json: { name: 'child', scopes, expiresInDays: days, ...(account && { account }) } })

const invite = (call: Call, email: string, to: object) => call('POST', '/users/invite', { json: { email, ...to } })

const messageOf = ({ body }: ApiCalled) => (body.error as { message: string }).message
const stateOf = async (token: string) => (await apiOf(box, { token })('GET', '/accounts')).status

describe('a token of the box', () => {
  const minted: { has: string[]; asks: string[]; account?: string; days?: number; status: number }[] = [
    { has: ['admin'], asks: ['admin'], status: 201 },
    { has: ['admin'], asks: ['admin'], account: 'acme', status: 201 },
    { has: ['admin'], asks: ['read'], status: 403 },
    { has: ['admin'], asks: ['read'], account: 'acme', status: 403 },
    { has: ['admin'], asks: allScopes, status: 403 },
    { has: ['admin'], asks: ['admin'], days: 11, status: 403 },
    { has: ['admin'], asks: ['admin'], days: 3650, status: 403 },
    { has: ['read', 'admin'], asks: ['read', 'admin'], status: 201 },
    { has: ['read', 'admin'], asks: ['read', 'publish'], status: 403 },
    { has: allScopes, asks: allScopes, account: 'acme', status: 201 },
    { has: allScopes, asks: allScopes, days: 3650, status: 403 },
    { has: ['read', 'publish', 'release', 'erase'], asks: ['read'], status: 403 },
  ]
  test.each(minted)('asks for a token: %j', async (row) => {
    const { call } = await tokenWith(row.has)
    expect((await mint(call, row.asks, row)).status).toBe(row.status)
  })

  const invitations: [string[], object, number][] = [
    [['admin'], { owner: true }, 403],
    [allScopes, { owner: true }, 403],
    [['admin'], { account: 'acme', role: 'client' }, 403],
    [['admin'], { account: 'acme', role: 'viewer' }, 403],
    [['read', 'admin'], { account: 'acme', role: 'viewer' }, 201],
    [['read', 'admin'], { account: 'acme', role: 'client' }, 201],
    [['read', 'admin'], { account: 'acme', role: 'editor' }, 403],
    [['read', 'publish', 'release', 'admin'], { account: 'acme', role: 'editor' }, 201],
    [['read', 'publish', 'release', 'admin'], { account: 'acme', role: 'admin' }, 403],
    [allScopes, { account: 'acme', role: 'admin' }, 201],
  ]
  test.each(invitations)('with %j invites somebody as %j: %i', async (scopes, to, status) => {
    const { call } = await tokenWith(scopes)
    expect((await invite(call, 'somebody@agency.example', to)).status).toBe(status)
  })

  test('is told what it lacks, and who can do it', async () => {
    const { call } = await tokenWith(['read', 'admin'])
    const refusals = [
      await mint(call, ['read', 'publish']),
      await mint(call, ['admin'], { days: 11 }),
      await invite(call, 'o@agency.example', { owner: true }),
    ]
    expect(refusals.map(refusalOf)).toEqual(['forbidden', 'forbidden', 'forbidden'])
    expect(refusals.map(messageOf)).toEqual([
      'A token gives only the scopes that it has itself; this one has: read, admin. Ask an owner to do it in the console, or run the command on the box.',
      expect.stringMatching(
        /^What a token makes expires with the token or before: by 20.* here\. Ask for less time\. Ask an owner/,
      ),
      'A token cannot invite owners. Ask an owner to do it in the console, or run the command on the box.',
    ])
  })

  test.each([
    ['a token', '/tokens', { name: 'child', scopes: ['read'], expiresInDays: 10 }],
    ['a link to a report', '/accounts/acme/report/share', { expiresInDays: 30 }],
    ['an invitation', '/users/invite', { email: 'i@agency.example', account: 'acme', role: 'admin' }],
  ] as const)('makes %s that expires no later than itself', async (_, path, json) => {
    const { id, call } = await tokenWith(allScopes)
    const { status, body } = await call('POST', path, { json })
    expect(status).toBe(201)
    const { items } = (await call('GET', '/tokens?limit=1000')).body as { items: { id: string; expiresAt: string }[] }
    const own = Date.parse(items.find((token) => token.id === id)?.expiresAt ?? '')
    expect(Date.parse(body.expiresAt as string)).toBeLessThanOrEqual(own)
  })

  test('gets nothing of another token’s answers by its Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'the-same-key' }
    const json = { name: 'child', scopes: ['admin'], expiresInDays: 5 }
    const first = await (await tokenWith(allScopes)).call('POST', '/tokens', { json, headers })
    const second = await (await tokenWith(['admin'])).call('POST', '/tokens', { json, headers })
    const third = await (await tokenWith(['read'])).call('POST', '/tokens', { json, headers })
    expect([first.status, second.status, third.status]).toEqual([201, 201, 403])
    expect(second.body.token).not.toBe(first.body.token)
  })

  test('learns no key by making new ones', async () => {
    const { call } = await tokenWith(['admin'])
    const { status, body } = await call('POST', '/secrets/share/rotate')
    expect({ status, names: Object.keys(body) }).toEqual({
      status: 200,
      names: ['purpose', 'keyId', 'oldKeysVerifyUntil'],
    })
  })
})

describe('the token of one account with every scope', () => {
  test('mints, invites, lists and revokes nothing of the box', async () => {
    const { token } = await newToken(box, '--account', 'acme', '--scope', allScopes.join(','))
    const call = apiOf(box, { token })
    const calls = [
      await mint(call, ['read'], { account: 'acme' }),
      await invite(call, 'a@agency.example', { account: 'acme', role: 'viewer' }),
      await call('GET', '/tokens'),
      await call('DELETE', `/tokens/${(await tokenWith(['read'])).id}`),
      await call('POST', '/secrets/share/rotate'),
    ]
    expect(calls.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403])
  })
})

/** A token, its child and its grandchild. */
async function threeGenerations() {
  const parent = await tokenWith(allScopes)
  const child = (await mint(parent.call, allScopes, { days: 4 })).body as { id: string; token: string }
  const grandchild = (await mint(apiOf(box, child), ['read'], { days: 3 })).body as { id: string; token: string }
  return { parent, child, grandchild }
}

describe('revoking a token', () => {
  test('revokes what it made and what that made, and leaves its parent', async () => {
    const { parent, child, grandchild } = await threeGenerations()
    const other = await tokenWith(['read'])
    const { body } = await parent.call('DELETE', `/tokens/${child.id}`)
    expect(body.ended).toEqual({
      tokens: [{ id: grandchild.id, name: 'child' }],
      invitations: [],
      shares: 0,
      accepted: [],
    })
    const tokens = [parent.token, child.token, grandchild.token, other.token]
    expect(await Promise.all(tokens.map(stateOf))).toEqual([200, 401, 401, 200])
  })

  test('withdraws its open invitations, ends its links to reports, and names who has accepted one', async () => {
    const { parent, child } = await threeGenerations()
    const call = apiOf(box, child)
    const link = async (email: string) =>
      (await invite(call, email, { account: 'acme', role: 'viewer' })).body.link as string
    const open = await link('open@agency.example')
    await new ConsoleVisitor(box).accept(await link('accepted@agency.example'))
    const shared = new URL((await call('POST', '/accounts/acme/report/share', { json: {} })).body.link as string)
    expect((await new ConsoleVisitor(box).get(shared.pathname)).status).toBe(200)

    const { stdout, status } = await box.run(['token', 'revoke', parent.id, '--json'])
    expect({ status, ended: JSON.parse(stdout).ended }).toMatchObject({
      status: 0,
      ended: { invitations: ['open@agency.example'], shares: 1, accepted: ['accepted@agency.example'] },
    })
    expect((await new ConsoleVisitor(box).accept(open)).status).toBe(410)
    expect((await new ConsoleVisitor(box).get(shared.pathname)).status).toBe(404)
    const users = JSON.parse((await box.run(['user', 'list', '--json'])).stdout) as { email: string }[]
    expect(users.map(({ email }) => email)).toContain('accepted@agency.example')
  })

  test('is told of by the command, the console and the audit log', async () => {
    const owner = await ConsoleVisitor.owner(box)
    const first = await threeGenerations()
    const page = await owner.send('POST', '/tokens', { revoke: first.parent.id })
    expect({ status: page.status, text: page.text }).toEqual({
      status: 200,
      text: expect.stringContaining('Tokens made with this access are revoked too: child, child.'),
    })
    const second = await threeGenerations()
    expect((await box.run(['token', 'revoke', second.parent.id])).stdout).toContain(
      'Tokens made with this access are revoked too: child, child.',
    )
    const audit = await apiOf(box, owner)('GET', `/audit?q=${second.parent.id}`)
    expect(audit.text).toContain(second.grandchild.id)
  })
})

test('a list of tokens says who made each', async () => {
  const { parent, child } = await threeGenerations()
  const owner = await ConsoleVisitor.owner(box)
  const own = (await mint(apiOf(box, owner), ['read'])).body as { id: string }
  const users = JSON.parse((await box.run(['user', 'list', '--json'])).stdout) as { id: string; email: string }[]
  const listed = JSON.parse((await box.run(['token', 'list', '--json'])).stdout) as {
    id: string
    user: string | null
    parent: string | null
  }[]
  const of = (id: string) => listed.find((token) => token.id === id)
  expect(of(parent.id)).toMatchObject({ user: null, parent: null })
  expect(of(child.id)).toMatchObject({ user: null, parent: parent.id })
  expect(users.map(({ id }) => id)).toContain(of(own.id)?.user ?? '')
  expect((await apiOf(box, parent)('GET', '/tokens')).text).toContain(`"parent":"${parent.id}"`)
  expect((await owner.get('/tokens')).text).toContain('token parent')
})

test('removing a user revokes the tokens that they made, and what those made', async () => {
  const leaving = new ConsoleVisitor(box)
  await leaving.accept(await ConsoleVisitor.invite(box, ['leaving@agency.example', '--owner']))
  await ConsoleVisitor.owner(box)
  const own = (await mint(apiOf(box, leaving), allScopes)).body as { token: string }
  const child = (await mint(apiOf(box, own), ['read'], { days: 2 })).body as { token: string }
  const invited = (await invite(apiOf(box, leaving), 'friend@agency.example', { owner: true })).body.link as string
  const accepted = (await invite(apiOf(box, leaving), 'stays@agency.example', { owner: true })).body.link as string
  await new ConsoleVisitor(box).accept(accepted)
  expect(await Promise.all([own.token, child.token].map(stateOf))).toEqual([200, 200])

  const { stdout } = await box.run(['user', 'remove', 'leaving@agency.example', '--json'])
  expect(JSON.parse(stdout).ended).toMatchObject({
    tokens: [{ name: 'child' }, { name: 'child' }],
    invitations: ['friend@agency.example'],
    accepted: ['stays@agency.example'],
  })
  expect(await Promise.all([own.token, child.token].map(stateOf))).toEqual([401, 401])
  expect((await new ConsoleVisitor(box).accept(invited)).status).toBe(410)
})

test('by the API, users are removed by id or address, and owners by no token', async () => {
  const owner = apiOf(box, await ConsoleVisitor.owner(box))
  const token = apiOf(box, await newToken(box, '--box', '--scope', 'admin'))
  const visitor = new ConsoleVisitor(box)
  await visitor.accept(await ConsoleVisitor.invite(box, ['going@agency.example', '--owner']))
  await ConsoleVisitor.invite(box, ['invited@agency.example', '--owner'])
  const { items } = (await owner('GET', '/users?q=going@')).body as { items: { id: string }[] }
  expect((await token('DELETE', `/users/${items[0]?.id}`)).status).toBe(403)
  const gone = await owner('DELETE', `/users/${items[0]?.id}`)
  expect(gone.body).toMatchObject({ email: 'going@agency.example', removed: true, ended: { tokens: [], shares: 0 } })
  expect((await token('DELETE', '/users/invited@agency.example')).body).toEqual({
    email: 'invited@agency.example',
    removed: true,
  })
  expect((await owner('DELETE', '/users/going@agency.example')).status).toBe(404)
})

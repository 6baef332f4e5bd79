import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { ConsoleVisitor } from '../harness/console-visitor.ts'
import { filesHolding } from '../harness/files-holding.ts'

let box: Box
let owner: ConsoleVisitor
beforeAll(async () => {
  box = await Box.start([aSite(), aSite({ account: 'other' })], {
    console: { listen: '127.0.0.1:0', origins: ['https://tools.agency.example'] },
  })
  owner = await ConsoleVisitor.owner(box)
}, boxStartMsMax)
afterAll(() => box.stop())

interface Called {
  status: number
  body: Record<string, unknown>
  headers: Headers
  text: string
}

async function call(method: string, path: string, { token, body, headers = {} }: CallOptions = {}): Promise<Called> {
  const response = await fetch(`http://127.0.0.1:${box.consolePort}/api/v1${path}`, {
    method,
    headers: {
      host: 'localhost',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json')
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : {} }
}

interface CallOptions {
  token?: string
  body?: unknown
  headers?: Record<string, string>
}

async function newToken(...options: string[]): Promise<{ id: string; token: string }> {
  const argv = ['token', 'create', '--name', 'test', '--expires', '1d', ...options, '--json']
  const { stdout, stderr, status } = await box.run(argv)
  if (status !== 0) throw new Error(stderr)
  return JSON.parse(stdout)
}
const boxToken = (scopes: string) => newToken('--box', '--scope', scopes)

const errorOf = ({ body }: Called) => (body.error as { code?: string } | undefined)?.code

describe('a token', () => {
  test('is shown once, and listed without its text', async () => {
    const { id, token } = await boxToken('read')
    const { body, text } = await call('GET', '/tokens?limit=1000', { token })
    expect(body.items).toContainEqual(expect.objectContaining({ id, state: 'usable', box: true, scopes: ['read'] }))
    expect(text).not.toContain(token)
    const { stdout } = await box.run(['token', 'list', '--json'])
    expect(stdout).not.toContain(token)
  })

  test('that is revoked is answered as one that never was', async () => {
    const { id, token } = await boxToken('read')
    expect((await call('GET', '/users', { token })).status).toBe(200)
    expect((await box.run(['token', 'revoke', id])).status).toBe(0)
    const revoked = await call('GET', '/users', { token })
    const unknown = await call('GET', '/users', { token: `cap_${'x'.repeat(40)}` })
    expect([revoked.status, revoked.text]).toEqual([401, unknown.text])
  })

  test('of one account sees that account, and nothing of the box', async () => {
    const { token } = await newToken('--account', 'acme', '--scope', 'read,admin')
    const { body } = await call('GET', '/accounts', { token })
    expect(body.items).toMatchObject([{ account: 'acme' }])
    for (const path of ['/users', '/tokens', '/audit']) expect((await call('GET', path, { token })).status).toBe(403)
  })

  test.each([
    [['--box', '--account', 'acme', '--scope', 'read'], '--account and --box exclude each other'],
    [['--scope', 'read'], '--account ACCOUNT or --box is missing. For example: capture token create'],
    [['--box', '--scope', 'everything'], 'read, publish, release, erase, admin'],
    [['--account', 'nope', '--scope', 'read'], 'nope'],
  ])('of %j is not made, and the message says why', async (options, message) => {
    const { status, stderr } = await box.run(['token', 'create', '--name', 'x', '--expires', '1d', ...options])
    expect(status).toBeGreaterThan(0)
    expect(stderr).toContain(message)
  })

  test('without an end is not made, and the message names that alone, with an example', async () => {
    const argv = ['token', 'create', '--name', 'x', '--box', '--scope', 'read']
    const { status, stderr } = await box.run(argv)
    expect(status).toBe(2)
    expect(stderr).toMatch(/--expires AGE is missing\. For example: capture token create .+ --expires 90d/)
    expect(stderr).not.toContain('--name NAME')
  })

  test('has 30 wrong tries a minute from one address', async () => {
    const wrong = () => call('GET', '/users', { token: 'cap_wrong' })
    const answers = await Promise.all(Array.from({ length: 80 }, wrong))
    const refused = answers.find(({ status }) => status === 429)
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(answers.filter(({ status }) => status === 401).length).toBeLessThanOrEqual(40)
  })
})

describe('what is sent', () => {
  test('is looked at after who sends it: a scope that lacks is 403 whatever the body is', async () => {
    const { token } = await boxToken('read')
    const answer = await call('POST', '/tokens', { token, body: '{ no json' })
    expect([answer.status, errorOf(answer)]).toEqual([403, 'forbidden'])
  })

  test.each([
    ['no JSON', '{ no json', 422],
    ['an unknown key', { name: 'x', scopes: ['read'], expiresInDays: 1, extra: 'secret-value' }, 422],
    ['a wrong type', { name: 'secret-value', scopes: 'read', expiresInDays: 1 }, 422],
    ['an account that is not there', { name: 'x', account: 'secret-value', scopes: ['read'], expiresInDays: 1 }, 404],
    ['a scope that is none', { name: 'x', scopes: ['secret-value'], expiresInDays: 1 }, 422],
  ])('%s is refused without being repeated', async (_, body, status) => {
    const { token } = await boxToken('admin')
    const answer = await call('POST', '/tokens', { token, body })
    expect(answer.status).toBe(status)
    expect(answer.text).not.toContain('secret-value')
  })

  test('as anything but JSON is refused', async () => {
    const { token } = await boxToken('admin')
    const answer = await call('POST', '/tokens', { token, body: 'a=b', headers: { 'content-type': 'text/plain' } })
    expect(answer.status).toBe(415)
  })

  test('beyond its limit is refused as it arrives', async () => {
    const { token } = await boxToken('admin')
    const answer = await call('POST', '/tokens', { token, body: JSON.stringify({ name: 'x'.repeat(300_000) }) })
    expect(answer.status).toBe(413)
  })

  test('twice with one Idempotency-Key is done once', async () => {
    const { token } = await boxToken('admin,read')
    const body = { name: 'once', scopes: ['read'], expiresInDays: 1 }
    const post = (sent: unknown) => call('POST', '/tokens', { token, body: sent, headers: { 'idempotency-key': 'k1' } })
    const first = await post(body)
    expect(first.status).toBe(201)
    expect(await post(body)).toMatchObject({ status: 201, text: first.text })
    expect(errorOf(await post({ ...body, name: 'other' }))).toBe('key_reused')
    expect(filesHolding(join(box.dir, 'data'), String(first.body.token))).toEqual([])
    const { body: listed } = await call('GET', '/tokens?q=once', { token })
    expect(listed.items).toHaveLength(1)
  })

  test.each([undefined, '', '{}'])(
    'with one Idempotency-Key and the body %p, which it does not need, is done once',
    async (body) => {
      const { token } = await boxToken('admin,read')
      const rotate = () =>
        call('POST', '/accounts/acme/keys/rotate', { token, body, headers: { 'idempotency-key': `rotate ${body}` } })
      const answers = await Promise.all([rotate(), rotate(), rotate(), rotate()])
      const done = [...answers, await rotate()].filter(({ status }) => status < 300)
      expect(new Set(done.map(({ text }) => text)).size).toBe(1)
      expect(
        errorOf(
          await call('POST', '/accounts/acme/keys/rotate', {
            token,
            body: '{"other":1}',
            headers: { 'idempotency-key': `rotate ${body}` },
          }),
        ),
      ).toBe('key_reused')
    },
  )
})

describe('a list', () => {
  test('goes on where the page before ended, while items are added', async () => {
    const { token } = await boxToken('read')
    const first = await call('GET', '/tokens?limit=1', { token })
    await boxToken('read')
    const second = await call('GET', `/tokens?limit=1&cursor=${first.body.next}`, { token })
    const [a, b] = [first, second].map(({ body }) => (body.items as { id: string }[])[0]?.id ?? '')
    expect((a ?? '') > (b ?? '')).toBe(true)
  })

  test('comes as CSV, in which no cell is a formula', async () => {
    const { token } = await boxToken('read,admin')
    await call('POST', '/tokens', { token, body: { name: '=HYPERLINK("x")', scopes: ['read'], expiresInDays: 1 } })
    const { text, headers } = await call('GET', '/tokens?format=csv&limit=1000', { token })
    expect(headers.get('content-type')).toContain('text/csv')
    expect(text).toStartWith('id,name,account')
    expect(text).toContain('"\'=HYPERLINK(""x"")"')
  })

  test.each(['limit=0', 'limit=x', 'cursor=%00', 'limit=1&limit=2', 'format=xml'])('refuses ?%s', async (query) => {
    const { token } = await boxToken('read')
    expect((await call('GET', `/users?${query}`, { token })).status).toBe(422)
  })
})

describe('the audit log', () => {
  test('says who made which token, and never its text', async () => {
    const { token } = await boxToken('admin')
    const made = await call('POST', '/tokens', { token, body: { name: 'noted', scopes: ['admin'], expiresInDays: 1 } })
    const { body, text } = await call('GET', '/audit?q=token.create', { token })
    expect((body.items as unknown[])[0]).toMatchObject({
      action: 'token.create',
      outcome: 'done',
      actor: { kind: 'token', label: 'test' },
    })
    expect(text).not.toContain(String(made.body.token))
  })
})

describe('sessions', () => {
  test('are the user’s own, and the current one is marked', async () => {
    const { text } = await owner.get('/api/v1/sessions')
    expect(JSON.parse(text).items).toMatchObject([{ current: true }])
  })

  test('of somebody else cannot be ended', async () => {
    const other = await ConsoleVisitor.owner(box)
    const [session] = JSON.parse((await other.get('/api/v1/sessions')).text).items
    const ended = await owner.send('DELETE', `/api/v1/sessions/${session.id}`)
    expect(ended.status).toBe(404)
    expect((await other.get('/')).status).toBe(200)
  })
})

describe('a page of another origin', () => {
  const asked = (origin: string) =>
    call('OPTIONS', '/users', { headers: { origin, 'access-control-request-method': 'GET' } })

  test('may call with a token if the origin is configured, and never with a session', async () => {
    const { headers } = await asked('https://tools.agency.example')
    expect(headers.get('access-control-allow-origin')).toBe('https://tools.agency.example')
    expect(headers.get('access-control-allow-headers')).toContain('authorization')
    expect(headers.get('access-control-allow-credentials')).toBeNull()
  })

  test.each(['https://evil.example', 'https://tools.agency.example.evil.example', 'null'])(
    '%s may not',
    async (origin) => {
      expect((await asked(origin)).headers.get('access-control-allow-origin')).toBeNull()
      const { headers } = await call('GET', '/users', { headers: { origin } })
      expect(headers.get('access-control-allow-origin')).toBeNull()
    },
  )

  test('gets the answer of its call with the header that lets it read', async () => {
    const { token } = await boxToken('read')
    const { status, headers } = await call('GET', '/users', {
      token,
      headers: { origin: 'https://tools.agency.example' },
    })
    expect([status, headers.get('access-control-allow-origin')]).toEqual([200, 'https://tools.agency.example'])
  })
})

test.each(['/', '/sign-in', '/api', '/_/console.js'])(
  'only the API answers pages of other origins, not %s',
  async (path) => {
    for (const method of ['GET', 'OPTIONS']) {
      const { headers } = await fetch(`http://127.0.0.1:${box.consolePort}${path}`, {
        method,
        redirect: 'manual',
        headers: { host: 'localhost', origin: 'https://tools.agency.example', 'access-control-request-method': 'GET' },
      })
      expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([])
    }
  },
)

test('a method that an address does not take is answered with those it takes', async () => {
  const answer = await call('PATCH', '/users')
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET'])
})

test('the console’s users are listed and removed by commands, but never the last owner', async () => {
  const { stdout } = await box.execute(['user', 'list', '--json'])
  expect(JSON.parse(stdout)).toContainEqual(expect.objectContaining({ owner: true, roles: [] }))
  const { status, stderr } = await box.run(['user', 'remove', 'nobody@agency.example'])
  expect([status, stderr.includes('capture user list')]).toEqual([1, true])
})

test('somebody who was invited, and is no user yet, is listed, and removing them withdraws the invitation', async () => {
  const invited = ['user', 'invite', 'colleague@agency.example', '--owner', '--json']
  const { link } = JSON.parse((await box.run(invited)).stdout) as { link: string }
  const listed = await box.run(['user', 'list'])
  expect(listed.stderr).toMatch(/^colleague@agency.example is invited as owner; the link works until \d{4}-.* UTC\.$/m)
  const removed = await box.run(['user', 'remove', 'colleague@agency.example'])
  expect((await box.run(['user', 'list'])).stderr).not.toContain('colleague@')
  expect([removed.status, removed.stdout]).toEqual([0, 'Withdrew the invitation of colleague@agency.example.\n'])
  const opened = await fetch(`http://localhost:${box.consolePort}${new URL(link).pathname}`)
  expect(opened.status).toBe(410)
})

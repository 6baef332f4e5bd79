import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { ConsoleVisitor, password } from '../harness/console-visitor.ts'

let box: Box
beforeAll(async () => {
  box = await Box.start([aSite()], { console: { listen: '127.0.0.1:0', host: 'console.agency.example' } })
}, boxStartMsMax)
afterAll(() => box.stop())

interface Operation {
  operationId: string
  tags: [string]
  description: string
  responses: object
}

const invite = (...argv: string[]) => ConsoleVisitor.invite(box, argv)

describe('where the console answers', () => {
  test('a visitor who is not signed in is led to the sign-in, and from there back', async () => {
    const answer = await new ConsoleVisitor(box).get('/?x=1')
    expect(answer.status).toBe(303)
    expect(answer.headers.get('location')).toBe('/sign-in?to=%2F%3Fx%3D1')
  })

  test('whoever cannot sign in reads below the button who helps', async () => {
    const { text } = await new ConsoleVisitor(box).get('/sign-in')
    expect(text).toMatch(/<button>Sign in<\/button>.*Ask whoever invited you for help\./)
  })

  test('a name that was made to lead to this machine gets nothing', async () => {
    const answer = await new ConsoleVisitor(box).get('/sign-in', { host: 'evil.example' })
    expect({ status: answer.status, text: answer.text }).toEqual({ status: 404, text: '' })
  })

  test('on a connected domain there is no console', async () => {
    const answer = await box.send({ method: 'GET', host: 'go.acme.test', path: '/sign-in', headers: {}, body: null })
    expect(answer.status).toBe(404)
    expect(answer.text).not.toContain('password')
  })

  test('at its public name it shows no sign-in over plain HTTP', async () => {
    const answer = await box.send({
      method: 'GET',
      host: 'console.agency.example',
      path: '/sign-in',
      headers: {},
      body: null,
    })
    expect(answer.status).toBe(403)
    expect(answer.text).toContain('https://console.agency.example')
    expect(answer.text).not.toContain('password')
  })

  test('whoever opened it by its IP address reads at which name passkeys work', async () => {
    const { text } = await (await ConsoleVisitor.owner(box)).get('/me', { host: `127.0.0.1:${box.consolePort}` })
    expect(text).toContain('Passkeys work only at console.agency.example.')
  })

  test('its pages run no script but the console’s own, and no cache keeps them', async () => {
    const { headers } = await new ConsoleVisitor(box).get('/sign-in')
    expect(headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'")
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(headers.get('cache-control')).toBe('no-store')
  })
})

test('a sign-in that is too large is refused with 413', async () => {
  const answer = await new ConsoleVisitor(box).send('POST', '/sign-in', { email: 'x'.repeat(300_000) })
  expect(answer.status).toBe(413)
})

describe('an invitation', () => {
  test('makes a user who is signed in, with ten recovery codes', async () => {
    const visitor = new ConsoleVisitor(box)
    const answer = await visitor.accept(await invite('first@agency.example', '--owner'))
    expect(answer.status).toBe(200)
    expect(answer.text.match(/[a-z0-9]{4}(?:-[a-z0-9]{4}){5}/g)).toHaveLength(10)
    expect((await visitor.get('/')).text).toContain('first@agency.example')
  })

  test('works once', async () => {
    const link = await invite('once@agency.example', '--owner')
    await new ConsoleVisitor(box).accept(link)
    expect((await new ConsoleVisitor(box).get(new URL(link).pathname)).status).toBe(410)
  })

  test('of a weak password, or without the app’s code, makes nobody', async () => {
    const { pathname } = new URL(await invite('weak@agency.example', '--owner'))
    const weak = await new ConsoleVisitor(box).send('POST', pathname, { password: 'short', again: 'short', code: '' })
    expect(weak.status).toBe(422)
    const noCode = await new ConsoleVisitor(box).send('POST', pathname, { password, again: password, code: '000000' })
    expect(noCode.status).toBe(422)
    expect((await new ConsoleVisitor(box).get(pathname)).status).toBe(200)
  })

  test('that another site posts is refused', async () => {
    const { pathname } = new URL(await invite('posted@agency.example', '--owner'))
    const answer = await new ConsoleVisitor(box).send('POST', pathname, {}, { 'sec-fetch-site': 'cross-site' })
    expect(answer.status).toBe(403)
  })

  test('to a role in one account shows that account', async () => {
    const visitor = new ConsoleVisitor(box)
    await visitor.accept(await invite('viewer@agency.example', '--account', 'acme', '--role', 'viewer'))
    expect((await visitor.get('/')).text).toContain('href="/a/acme"')
  })

  test.each([
    [['nobody'], 'not an email address'],
    [['a@agency.example', '--account', 'acme', '--role', 'king'], '--role admin|editor|sales|viewer|client'],
    [['a@agency.example'], '--owner'],
    [['a@agency.example', '--account', 'nope', '--role', 'viewer'], 'nope'],
  ])('of %j says what to write instead', async (argv, message) => {
    const owner = argv.length === 1 && argv[0] === 'nobody' ? ['--owner'] : []
    const { status, stderr } = await box.run(['user', 'invite', ...argv, ...owner])
    expect(status).toBeGreaterThan(0)
    expect(stderr).toContain(message)
  })
})

test('the code that proved the app in an invitation signs nobody in again', async () => {
  const visitor = new ConsoleVisitor(box)
  const link = await invite('spent@agency.example', '--owner')
  await visitor.accept(link)
  const spent = { email: 'spent@agency.example', password, code: visitor.acceptedWith }
  expect((await new ConsoleVisitor(box).send('POST', '/sign-in', spent)).status).toBe(403)
})

describe('signing in', () => {
  test('takes password and code, and each code once', async () => {
    const visitor = new ConsoleVisitor(box)
    await visitor.accept(await invite('again@agency.example', '--owner'))
    await visitor.send('POST', '/sign-out', {})
    expect((await visitor.get('/')).status).toBe(303)
    const fields = { email: 'Again@agency.example', password, code: visitor.code(1), to: '/?x=1' }
    const signedIn = await visitor.send('POST', '/sign-in', fields)
    expect({ status: signedIn.status, to: signedIn.headers.get('location') }).toEqual({ status: 303, to: '/?x=1' })
    expect((await new ConsoleVisitor(box).send('POST', '/sign-in', fields)).status).toBe(403)
  })

  test('says the same of a wrong password and of an unknown user', async () => {
    const visitor = new ConsoleVisitor(box)
    await visitor.accept(await invite('wrong@agency.example', '--owner'))
    const tried = (email: string) =>
      new ConsoleVisitor(box).send('POST', '/sign-in', {
        email,
        password: 'another password here',
        code: visitor.code(1),
      })
    const [known, unknown] = [await tried('wrong@agency.example'), await tried('nobody@agency.example')]
    expect(known.status).toBe(403)
    expect(known.text.replaceAll('wrong@', 'nobody@')).toBe(unknown.text)
  })

  test('ends with the session: its cookie is good for nothing afterwards', async () => {
    const visitor = await ConsoleVisitor.owner(box)
    const { cookie } = visitor
    await visitor.send('POST', '/sign-out', {})
    visitor.cookie = cookie
    expect((await visitor.get('/')).status).toBe(303)
  })
})

describe('the API', () => {
  const call = (visitor: ConsoleVisitor, headers: Record<string, string> = {}) =>
    visitor.get('/api/v1/accounts', headers)

  test('answers 401 with the scheme to use, the same for no token and for a wrong one', async () => {
    const none = await call(new ConsoleVisitor(box))
    const wrong = await call(new ConsoleVisitor(box), { authorization: `Bearer cap_${'a'.repeat(40)}` })
    expect([none.status, wrong.status]).toEqual([401, 401])
    expect(none.text).toBe(wrong.text)
    expect(none.headers.get('www-authenticate')).toBe('Bearer')
  })

  test('lists the accounts of a user who has signed in, on the console’s own pages alone', async () => {
    const owner = await ConsoleVisitor.owner(box)
    expect(JSON.parse((await call(owner)).text).items).toMatchObject([{ account: 'acme' }])
    expect((await call(owner, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  })

  test('names a parameter that it does not take without repeating it', async () => {
    const owner = await ConsoleVisitor.owner(box)
    const answer = await owner.get('/api/v1/accounts?secret-value=1')
    expect(answer.status).toBe(422)
    expect(answer.text).not.toContain('secret-value')
  })

  test('describes every endpoint in its OpenAPI document', async () => {
    const document = JSON.parse((await (await ConsoleVisitor.owner(box)).get('/api/v1/openapi.json')).text)
    expect(document.openapi).toBe('3.1.0')
    expect(document.paths['/accounts'].get.operationId).toBe('getAccounts')
    const operations = Object.values<Record<string, Operation>>(document.paths).flatMap(Object.values<Operation>)
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length)
    const tags = document.tags.map(({ name }: { name: string }) => name)
    const lacking = operations.filter(
      ({ tags: [tag, ...more], description, responses }) =>
        !tags.includes(tag) || more.length > 0 || description === '' || !('401' in responses && '422' in responses),
    )
    expect(lacking).toEqual([])
    expect(document.info).toMatchObject({ license: { identifier: 'MIT' }, contact: { name: expect.any(String) } })
  })

  test('names in it the headers that make a call safe to repeat, and safe from others', async () => {
    const { paths } = JSON.parse((await (await ConsoleVisitor.owner(box)).get('/api/v1/openapi.json')).text)
    const { get, put } = paths['/accounts/{account}/submissions/{submission}/state']
    expect([get, put].map(({ responses }) => Object.keys(responses['200'].headers))).toEqual([['ETag'], ['ETag']])
    expect(put.parameters).toContainEqual(expect.objectContaining({ name: 'If-Match', in: 'header', required: false }))
    expect(put.responses).toHaveProperty('412')
    expect(paths['/accounts/{account}'].delete.parameters).toMatchObject([{ name: 'account' }, { name: 'If-Match' }])
    const posts = Object.values<{ post?: { parameters: unknown[] } }>(paths).flatMap(({ post }) => post ?? [])
    for (const { parameters } of posts)
      expect(parameters).toContainEqual({ $ref: '#/components/parameters/idempotencyKey' })
  })
})

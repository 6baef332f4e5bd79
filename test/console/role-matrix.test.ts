import { afterAll, beforeAll, expect, test } from 'bun:test'
import { aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { ConsoleVisitor } from '../harness/console-visitor.ts'

interface Operation {
  method: string
  path: string
  scope: string
  clients: 'whole' | 'masked' | 'nothing' | undefined
  /** Whether it is for owners of the box alone, though it concerns an account. */
  ownersOnly: boolean
  /** The roles that the document names; of an operation of the box: none. */
  roles: readonly string[]
}

type Caller = (method: string, path: string) => Promise<{ status: number; text: string }>

let box: Box
let operations: Operation[]
const callers = new Map<string, Caller>()

/** What each caller may do in the account `acme`, by scope. */
const scopesOf: Record<string, readonly string[]> = {
  admin: ['read', 'publish', 'release', 'erase', 'admin'],
  editor: ['read', 'publish', 'release'],
  sales: ['read', 'release'],
  viewer: ['read'],
  client: ['read'],
  'a token to read': ['read'],
  'a token to publish': ['publish'],
  'a token to release': ['release'],
  'a token to erase': ['erase'],
  'a token to administer': ['admin'],
}
const roles = ['admin', 'editor', 'sales', 'viewer', 'client']

/** What a role may do beyond its scopes. */
const alsoOf: Record<string, readonly string[]> = { sales: ['DELETE /accounts/{account}/submissions/{submission}'] }

beforeAll(async () => {
  box = await Box.start([aSite(), aSite({ account: 'other' })], { console: { listen: '127.0.0.1:0' } })
  for (const role of roles) callers.set(role, await asUser('acme', role))
  for (const scope of ['read', 'publish', 'release', 'erase', 'admin']) {
    const name = `a token to ${scope === 'admin' ? 'administer' : scope}`
    callers.set(name, await withToken('--account', 'acme', '--scope', scope))
  }
  callers.set('a user of another account', await asUser('other', 'admin'))
  callers.set(
    'a token of another account',
    await withToken('--account', 'other', '--scope', 'read,publish,release,erase,admin'),
  )
  operations = await described()
}, boxStartMsMax)
afterAll(() => box.stop())

async function asUser(account: string, role: string): Promise<Caller> {
  const visitor = new ConsoleVisitor(box)
  await visitor.accept(
    await ConsoleVisitor.invite(box, [`${account}-${role}@agency.example`, '--account', account, '--role', role]),
  )
  return (method, path) => visitor.send(method, `/api/v1${path}`)
}

async function withToken(...options: string[]): Promise<Caller> {
  const { stdout } = await box.run(['token', 'create', '--name', 'test', '--expires', '1d', ...options, '--json'])
  const { token } = JSON.parse(stdout) as { token: string }
  return (method, path) =>
    new ConsoleVisitor(box).send(method, `/api/v1${path}`, null, { authorization: `Bearer ${token}` })
}

async function described(): Promise<Operation[]> {
  const { paths } = JSON.parse((await (await ConsoleVisitor.owner(box)).get('/api/v1/openapi.json')).text)
  return Object.entries<Record<string, Record<string, never>>>(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      scope: operation['x-scope'] ?? '',
      clients: operation['x-clients'],
      ownersOnly: operation['x-owners-only'] === true,
      roles: operation['x-roles'] ?? [],
    })),
  )
}

/** The path in the account `acme`, with ids of nothing. */
const inAcme = ({ path }: Operation, account = 'acme') =>
  path.replace('{account}', account).replaceAll(/\{\w+\}/g, '0190b7a0-0000-7000-8000-000000000000')

const ofAccount = () => operations.filter(({ path }) => path.startsWith('/accounts/{account}'))
const ofBox = () =>
  operations.filter(({ path, scope }) => !path.startsWith('/accounts/{account}') && scope !== 'signed_in')

function isAllowed(name: string, { method, path, scope, clients, ownersOnly }: Operation): boolean {
  if (alsoOf[name]?.includes(`${method} ${path}`)) return true
  return !ownersOnly && scopesOf[name]?.includes(scope) === true && !(name === 'client' && clients === 'nothing')
}

test.each(Object.keys(scopesOf))(
  '%s may do in the account what the role or scope covers, and gets 403 for the rest',
  async (name) => {
    const caller = callers.get(name)
    const wrong: string[] = []
    for (const operation of ofAccount()) {
      // Whether it may is decided before the body is read, so that what is missing in it changes nothing for who may not.
      const { status } = (await caller?.(operation.method, inAcme(operation))) ?? { status: 0 }
      if ((status === 403) === isAllowed(name, operation))
        wrong.push(`${operation.method} ${operation.path}: ${status}`)
    }
    expect(wrong).toEqual([])
  },
)

test('the OpenAPI document names the roles that may do each operation', () => {
  const wrong = ofAccount().filter(
    (operation) =>
      !Bun.deepEquals(
        operation.roles,
        roles.filter((role) => isAllowed(role, operation)),
      ),
  )
  expect(wrong.map(({ method, path, roles }) => `${method} ${path}: ${roles}`)).toEqual([])
})

test.each(['a user of another account', 'a token of another account'])(
  'to %s the account is one that does not exist',
  async (name) => {
    const caller = callers.get(name)
    const wrong: string[] = []
    for (const operation of ofAccount()) {
      const here = await caller?.(operation.method, inAcme(operation))
      const nowhere = await caller?.(operation.method, inAcme(operation, 'nowhere'))
      if (here?.status !== 404 || here.text !== nowhere?.text)
        wrong.push(`${operation.method} ${operation.path}: ${here?.status}`)
    }
    expect(wrong).toEqual([])
  },
)

test('nobody of one account may do anything with the box', async () => {
  const wrong: string[] = []
  for (const [name, caller] of callers) {
    for (const operation of ofBox()) {
      const { status } = await caller(operation.method, inAcme(operation))
      if (status !== 403) wrong.push(`${name}: ${operation.method} ${operation.path}: ${status}`)
    }
  }
  expect(wrong).toEqual([])
})

test('without a token or session every operation answers 401', async () => {
  for (const operation of operations) {
    const { status } = await new ConsoleVisitor(box).send(operation.method, `/api/v1${inAcme(operation)}`)
    expect([operation.path, status]).toEqual([operation.path, 401])
  }
})

test('whoever may call anything reads the OpenAPI document, and nobody else', async () => {
  for (const [name, caller] of callers)
    expect([name, (await caller('GET', '/openapi.json')).status]).toEqual([name, 200])
  const { status, text, headers } = await new ConsoleVisitor(box).get('/api/v1/openapi.json')
  expect({ status, by: headers.get('www-authenticate'), text }).toMatchObject({ status: 401, by: 'Bearer' })
  expect(text).not.toContain('"paths"')
  const wrong = { authorization: `Bearer cap_${'x'.repeat(40)}` }
  expect((await new ConsoleVisitor(box).get('/api/v1/openapi.json', wrong)).status).toBe(401)
})

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { pages } from '../../src/console/page/pages.ts'
import { aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { ConsoleVisitor } from '../harness/console-visitor.ts'

const roles = ['admin', 'editor', 'sales', 'viewer', 'client'] as const
type Role = (typeof roles)[number]

const everybody = roles
const staff: readonly Role[] = ['admin', 'editor', 'sales', 'viewer']
const workers: readonly Role[] = ['admin', 'editor', 'sales']
const editors: readonly Role[] = ['admin', 'editor']
const removers: readonly Role[] = ['admin', 'sales']
const admins: readonly Role[] = ['admin']
const owners: readonly Role[] = []

interface Rights {
  looks: readonly Role[]
  /** Absent: the page has no forms. */
  acts?: readonly Role[]
}

/** Who may look at each page of an account, and send its forms; owners of the box may do everything. */
const ofAccount: Record<string, Rights> = {
  '': { looks: everybody, acts: workers },
  '/filters': { looks: staff, acts: staff },
  '/live': { looks: everybody },
  '/leads.csv': { looks: everybody },
  '/leads/remove': { looks: removers, acts: removers },
  '/s/:submission/erase': { looks: admins, acts: admins },
  '/s/:submission': { looks: everybody, acts: workers },
  '/s/:submission/page': { looks: everybody },
  '/s/:submission/files/:file': { looks: everybody },
  '/persons': { looks: staff },
  '/persons/:person': { looks: staff },
  '/persons/:person/erase': { looks: admins, acts: admins },
  '/report': { looks: everybody, acts: editors },
  '/report/chart/:drawn': { looks: everybody },
  '/deliveries': { looks: staff, acts: admins },
  '/deliveries/:delivery': { looks: staff, acts: admins },
  '/domains': { looks: staff, acts: admins },
  '/refusals': { looks: staff },
  '/keys': { looks: staff },
  '/pages': { looks: staff },
  '/pages/:slug': { looks: staff, acts: editors },
  '/assets': { looks: staff },
  '/forms': { looks: staff },
  '/forms/:form': { looks: staff },
  '/links': { looks: editors, acts: editors },
  '/account': { looks: staff },
  '/users': { looks: staff, acts: admins },
  '/remove': { looks: owners, acts: owners },
  '/publish': { looks: editors, acts: editors },
  '/settings': { looks: staff, acts: editors },
}

/** Pages of the box that are for its owners alone. */
const ofOwners: Record<string, Rights> = {
  '/box': { looks: owners, acts: owners },
  '/users': { looks: owners, acts: owners },
  '/tokens': { looks: owners, acts: owners },
  '/audit': { looks: owners },
  '/publish': { looks: owners, acts: owners },
}

/** Pages that show everybody what is theirs. */
const ofUser = ['/', '/help', '/me', '/me/password', '/me/app', '/me/recovery-codes', '/prove']

let box: Box
let owner: ConsoleVisitor
let stranger: ConsoleVisitor
const visitors = new Map<Role, ConsoleVisitor>()
beforeAll(async () => {
  box = await Box.start([aSite(), aSite({ account: 'other' })], { console: { listen: '127.0.0.1:0' } })
  owner = await ConsoleVisitor.owner(box)
  for (const role of roles) visitors.set(role, await inAccount('acme', role))
  stranger = await inAccount('other', 'admin')
}, boxStartMsMax)
afterAll(() => box.stop())

async function inAccount(account: string, role: Role): Promise<ConsoleVisitor> {
  const visitor = new ConsoleVisitor(box)
  const email = `${role}@${account}.example`
  await visitor.accept(await ConsoleVisitor.invite(box, [email, '--account', account, '--role', role]))
  return visitor
}

const addressOf = (path: string, account = 'acme') => `/a/${account}${path.replaceAll(/:\w+/g, 'nothing')}`

/** A form whose sending never ends: whoever may not send it is refused before it is read. */
const endless = (): ReadableStream<Uint8Array> =>
  new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode('do=')) })

interface Sent {
  method: 'GET' | 'POST'
  body?: string | ReadableStream<Uint8Array>
}

/** The status alone: some pages go on for as long as somebody looks. */
async function statusOf(visitor: ConsoleVisitor | undefined, path: string, { method, body }: Sent): Promise<number> {
  const ending = new AbortController()
  const { status } = await fetch(`http://127.0.0.1:${box.consolePort}${path}`, {
    method,
    headers: { host: 'localhost', 'sec-fetch-site': 'same-origin', cookie: visitor?.cookie ?? '' },
    redirect: 'manual',
    signal: ending.signal,
    ...(body === undefined ? {} : { body }),
  })
  ending.abort()
  return status
}

test('the tables name every page behind the sign-in, and whether it has forms', () => {
  const named = [
    ...Object.entries(ofAccount).map(([path, { acts }]) => [`/a/:account${path}`, acts !== undefined]),
    ...Object.entries(ofOwners).map(([path, { acts }]) => [path, acts !== undefined]),
  ]
  const there = pages.filter(({ path }) => !ofUser.includes(path)).map(({ path, forms }) => [path, forms !== undefined])
  expect(named.sort()).toEqual(there.sort())
})

test('the menu of an account leads to the pages of the box that its reader may open', async () => {
  const menuOf = async (visitor: ConsoleVisitor | undefined) => {
    const { text = '' } = (await visitor?.get('/a/acme/persons')) ?? {}
    return ['/', '/box', '/users', '/me'].filter((path) => text.includes(`<a href="${path}">`))
  }
  expect(await menuOf(owner)).toEqual(['/', '/box', '/me'])
  expect(await menuOf(visitors.get('editor'))).toEqual(['/', '/me'])
})

test.each(Object.entries(ofAccount))(
  '/a/ACCOUNT%s is shown to those alone whose role allows it',
  async (path, { looks }) => {
    const wrong: string[] = []
    for (const [role, visitor] of visitors) {
      const status = await statusOf(visitor, addressOf(path), { method: 'GET' })
      if ((status === 403) === looks.includes(role)) wrong.push(`${role}: ${status}`)
    }
    expect(wrong).toEqual([])
    expect(await statusOf(owner, addressOf(path), { method: 'GET' })).not.toBe(403)
  },
)

const acting = Object.entries(ofAccount).flatMap(([path, { acts }]) =>
  acts === undefined ? [] : [[path, acts] as const],
)

test.each(acting)(
  '/a/ACCOUNT%s takes forms from those alone whose role allows it, and reads no other',
  async (path, acts) => {
    const wrong: string[] = []
    for (const [role, visitor] of visitors) {
      const isAllowed = acts.includes(role)
      const status = await statusOf(visitor, addressOf(path), {
        method: 'POST',
        body: isAllowed ? 'do=nothing' : endless(),
      })
      if ((status === 403) === isAllowed) wrong.push(`${role}: ${status}`)
    }
    expect(wrong).toEqual([])
    expect(await statusOf(owner, addressOf(path), { method: 'POST', body: 'do=nothing' })).not.toBe(403)
  },
)

test.each(Object.entries(ofAccount))(
  'to users of other accounts /a/ACCOUNT%s is that of no account',
  async (path, { acts }) => {
    const statuses = []
    for (const method of acts === undefined ? (['GET'] as const) : (['GET', 'POST'] as const)) {
      for (const account of ['acme', 'nowhere'])
        statuses.push(
          await statusOf(stranger, addressOf(path, account), { method, ...(method === 'POST' && { body: endless() }) }),
        )
    }
    expect(new Set(statuses)).toEqual(new Set([404]))
  },
)

test.each(Object.entries(ofOwners))('%s is there for owners of the box alone', async (path, { acts }) => {
  for (const visitor of visitors.values()) {
    expect(await statusOf(visitor, path, { method: 'GET' })).toBe(404)
    if (acts !== undefined) expect(await statusOf(visitor, path, { method: 'POST', body: endless() })).toBe(404)
  }
  expect(await statusOf(owner, path, { method: 'GET' })).toBe(200)
})

test.each(ofUser)('%s is there for everybody who is signed in', async (path) => {
  for (const visitor of [owner, stranger, ...visitors.values()]) {
    // Customers begin with the report.
    const isLedOn = path === '/' && visitor === visitors.get('client')
    expect(await statusOf(visitor, path, { method: 'GET' })).toBe(isLedOn ? 303 : 200)
  }
  expect(await statusOf(undefined, path, { method: 'GET' })).toBe(303)
})

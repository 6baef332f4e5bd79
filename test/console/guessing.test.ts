import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type IncomingHttpHeaders, request } from 'node:http'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { ConsoleVisitor, password } from '../harness/console-visitor.ts'

let box: Box
beforeAll(async () => {
  box = await Box.start([], { console: { listen: '127.0.0.1:0' } })
}, boxStartMsMax)
afterAll(() => box.stop())

interface Answered {
  status: number
  headers: IncomingHttpHeaders
}

/** A request from an address of this machine's own choice. */
const postFrom = (
  localAddress: string,
  { path, body, cookie = '' }: { path: string; body: string; cookie?: string },
): Promise<Answered> =>
  new Promise((resolve, reject) => {
    const type = body.startsWith('{') ? 'application/json' : 'application/x-www-form-urlencoded'
    const headers = {
      ...{ host: 'localhost', 'sec-fetch-site': 'same-origin', 'content-type': type, cookie },
      'content-length': body.length,
    }
    const { consolePort: port } = box
    const sent = request({ host: '127.0.0.1', port, path, method: 'POST', localAddress, headers }, (answer) => {
      answer.resume()
      resolve({ status: answer.statusCode ?? 0, headers: answer.headers })
    })
    sent.on('error', reject)
    sent.end(body)
  })

const wrong = { password: 'not the password at all', code: '000000' }

interface Typed {
  email: string
  password: string
  code: string
  cookie?: string
}

const signInFrom = (localAddress: string, { cookie = '', ...fields }: Typed): Promise<Answered> =>
  postFrom(localAddress, { path: '/sign-in', body: new URLSearchParams({ to: '/', ...fields }).toString(), cookie })

/** Wrong sign-ins, as many from each of the addresses. @returns the different statuses */
async function guess(email: string, { addresses, each }: { addresses: string[]; each: number }): Promise<number[]> {
  const statuses = new Set<number>()
  for (const address of addresses)
    for (let n = 0; n < each; n++) statuses.add((await signInFrom(address, { email, ...wrong })).status)
  return [...statuses].toSorted()
}

const network = (net: number, hosts: number): string[] =>
  Array.from({ length: hosts }, (_, host) => `127.0.${net}.${host + 1}`)

interface SomeOwner {
  visitor: ConsoleVisitor
  email: string
  recoveryCode: string
}

async function someOwner(name: string): Promise<SomeOwner> {
  const visitor = new ConsoleVisitor(box)
  const email = `${name}@agency.example`
  const { text } = await visitor.accept(await ConsoleVisitor.invite(box, [email, '--owner']))
  return { visitor, email, recoveryCode: /[a-z0-9]{4}(?:-[a-z0-9]{4}){5}/.exec(text)?.[0] ?? '' }
}

const knownCookie = ({ lastingCookies }: ConsoleVisitor): string =>
  [...lastingCookies.values()].find((cookie) => cookie.startsWith('browser-')) ?? ''

describe('wrong sign-ins', () => {
  test('from one address are ten in ten minutes, of however many users', async () => {
    const statuses = []
    for (let n = 0; n < 10; n++)
      statuses.push((await signInFrom('127.0.2.1', { email: `user-${n}@agency.example`, ...wrong })).status)
    expect(new Set(statuses)).toEqual(new Set([403]))
    const eleventh = await signInFrom('127.0.2.1', { email: 'another@agency.example', ...wrong })
    expect(eleventh.status).toBe(429)
    expect(Number(eleventh.headers['retry-after'])).toBeGreaterThan(0)
    expect((await signInFrom('127.0.2.2', { email: 'another@agency.example', ...wrong })).status).toBe(403)
  })

  test('from ten addresses lock no user out of an eleventh', async () => {
    const { visitor, email } = await someOwner('ten-addresses')
    expect(await guess(email, { addresses: network(3, 10), each: 1 })).toEqual([403])
    const own = { email, password, code: visitor.code(1) }
    expect((await signInFrom('127.0.3.100', own)).status).toBe(303)
  })
})

describe('the budget of a user', () => {
  let hunted: SomeOwner
  let attacker: SomeOwner

  /** Uses up the tries of three addresses, thirty in all, and those of the user that may have come back meanwhile. */
  async function exhaust(email: string, net: number): Promise<void> {
    const startedAt = performance.now()
    expect(await guess(email, { addresses: network(net, 3), each: 10 })).toEqual([403])
    // One comes back in twenty seconds, which thirty guesses take on a busy machine.
    const back = () => Math.floor((performance.now() - startedAt) / 20_000)
    for (let more = 0; (await signInFrom(`127.0.${net}.${100 + more}`, { email, ...wrong })).status !== 429; more++)
      expect(more).toBeLessThan(back())
  }

  beforeAll(async () => {
    attacker = await someOwner('attacker')
    hunted = await someOwner('hunted')
    await exhaust(hunted.email, 4)
  })

  test('ends for every address, also with a browser that another user has signed in with', async () => {
    const own = { email: hunted.email, password, code: hunted.visitor.code(1) }
    for (const cookie of ['', knownCookie(attacker.visitor)])
      expect((await signInFrom('127.0.6.100', { ...own, cookie })).status).toBe(429)
  })

  test('is not asked for in a browser in which they have signed in before, not even from an address without tries', async () => {
    const own = { email: hunted.email, password, code: hunted.visitor.code(1) }
    const answer = await signInFrom('127.0.4.1', { ...own, cookie: knownCookie(hunted.visitor) })
    expect(answer.status).toBe(303)
  })

  test('is not asked for with a recovery code', async () => {
    const { email, recoveryCode } = hunted
    expect((await signInFrom('127.0.7.100', { email, password, code: recoveryCode })).status).toBe(303)
  })

  test('is not asked for when they confirm who they are', async () => {
    // Of another app, since a code is good once.
    expect((await hunted.visitor.changeApp()).status).toBe(303)
    const proof = { password, code: hunted.visitor.code(1), to: '/users' }
    expect((await hunted.visitor.send('POST', '/prove', proof)).headers.get('location')).toBe('/users')
  })

  test('is the same for a user who is not there', () => exhaust('nobody@agency.example', 5))
})

describe('a browser in which somebody has signed in before', () => {
  test('has ten tries in ten minutes', async () => {
    const { visitor, email } = await someOwner('forgetful')
    const cookie = knownCookie(visitor)
    for (let n = 0; n < 10; n++) await signInFrom('127.0.9.1', { email, ...wrong, cookie })
    expect((await signInFrom('127.0.9.2', { email, ...wrong, cookie })).status).toBe(429)
  })

  test('stays known after signing out, and its cookie names nobody', async () => {
    const { visitor, email } = await someOwner('leaving')
    await visitor.send('POST', '/sign-out', {})
    expect(visitor.cookie).toBe('')
    const cookie = knownCookie(visitor)
    expect(cookie).toMatch(/^browser-[0-9a-f]{8}=[a-z0-9]+\.[a-z0-9]+\.[A-Za-z0-9]{22}\.[\w-]{43}$/)
    expect(cookie).not.toContain(email)
  })
})

test('somebody who knows the password and tries codes gets twenty', async () => {
  const { visitor, email, recoveryCode } = await someOwner('codes')
  for (let n = 0; n < 20; n++) {
    const { status } = await signInFrom(`127.0.11.${(n % 4) + 1}`, { email, password, code: '000000' })
    expect(status).toBe(403)
  }
  const right = { email, password, code: visitor.code(1) }
  expect((await signInFrom('127.0.11.50', right)).status).toBe(403)
  expect((await signInFrom('127.0.11.51', { ...right, code: recoveryCode })).status).toBe(303)
  expect((await signInFrom('127.0.11.52', right)).status).toBe(303)
})

describe('options for a passkey', () => {
  const ask = (address: string) => postFrom(address, { path: '/sign-in/passkey/options', body: '{}' })

  test('are sixty in ten minutes for an address', async () => {
    const statuses = []
    for (let n = 0; n < 60; n++) statuses.push((await ask('127.0.12.1')).status)
    expect(new Set(statuses)).toEqual(new Set([200]))
    expect((await ask('127.0.12.1')).status).toBe(429)
    expect((await ask('127.0.12.2')).status).toBe(200)
  })

  test('are there for an address whose sign-ins were all wrong', async () => {
    await guess('nobody-here@agency.example', { addresses: ['127.0.13.1'], each: 11 })
    expect((await ask('127.0.13.1')).status).toBe(200)
    const answer = await postFrom('127.0.13.1', { path: '/sign-in/passkey', body: '{"credential":{"id":"x"}}' })
    expect(answer.status).toBe(403)
  })
})

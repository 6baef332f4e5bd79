import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { challengesOf, clusterConsole, nodeAnswers } from '../../../src/cli/serve/serve-cluster.ts'
import { startNodeListener } from '../../../src/cluster/between-nodes.ts'
import { WayToLeader } from '../../../src/cluster/way-to-leader.ts'
import { Http01Answers } from '../../../src/https/acme/authority.ts'
import { makeDefaultCertificate } from '../../../src/https/default-certificate.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import { newSecret } from '../../../src/lib/sign.ts'
import { type ConsoleBehind, ConsoleProxy, wayToThread } from '../../../src/listener/console/console-proxy.ts'
import type { ListenerParts } from '../../../src/listener/listener-parts.ts'
import { eventually } from '../../harness/eventually.ts'
import { aSocket } from '../../listener/console/a-proxy.ts'

// Two nodes in one process: visitors ask the follower, and a server of the test's is the console of the leader.

const secret = newSecret()
const pair = makeDefaultCertificate()
const leading = { leads: true }
const challenges = new Http01Answers()
const socket = aSocket()
const way = new WayToLeader(secret, systemClock)
/** Of what is behind the leader. */
let answer: (request: Request) => Response | Promise<Response>
let leader: Bun.Server<undefined>
let follower: Bun.Server<undefined>
let thread: Bun.Server<undefined>

const noConsoleHere: ConsoleBehind = { isElsewhere: false, use: () => Promise.reject(new Error('none is here')) }
const theConsole: ConsoleBehind = {
  isElsewhere: false,
  use: async () => ({ send: wayToThread(socket), gone: new AbortController().signal, end() {} }),
}

const nobodysFiles = {} as Pick<ListenerParts, 'files' | 'uploads'>

beforeAll(() => {
  thread = Bun.serve({ unix: socket.socket, fetch: (request) => answer(request) })
  leader = startNodeListener({
    ...{ pair, secret, address: { host: '127.0.0.1', port: 0 } },
    answer: nodeAnswers(leading, { challenges, consoleProxy: new ConsoleProxy(null, theConsole), ...nobodysFiles }),
    onError: (error) => {
      throw error
    },
  })
  const proxy = new ConsoleProxy(null, clusterConsole(noConsoleHere, { leads: false }, way))
  follower = Bun.serve({
    ...{ port: 0, hostname: '127.0.0.1', idleTimeout: 0, maxRequestBodySize: Number.POSITIVE_INFINITY },
    fetch: (request, server) =>
      proxy.handOn({
        ...{ request, server, clientAddress: '203.0.113.9', secure: true },
        ownOrigin: 'https://console.agency.example',
      }),
  })
})
beforeEach(() => {
  leading.leads = true
  way.turnTo({ address: `127.0.0.1:${leader.port}`, certificate: pair.certificate })
})
afterAll(async () => {
  for (const server of [follower, leader, thread]) await server.stop(true)
})

const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`http://127.0.0.1:${follower.port}${path}`, { redirect: 'manual', ...init })

test('the leader’s console sees the visitor of a follower as its own, and the visitor its answer', async () => {
  answer = async ({ url, headers, method, body }) => {
    const { 'x-capture-client': client, 'x-capture-scheme': scheme, host, cookie } = Object.fromEntries(headers)
    const said = { path: url.slice(url.indexOf('/', 8)), method, client, scheme, host, cookie }
    const answered = new Headers({ location: '/next' })
    answered.append('set-cookie', 'one=1')
    answered.append('set-cookie', 'two=2')
    return new Response(JSON.stringify({ ...said, body: await new Response(body).text() }), {
      status: 303,
      headers: answered,
    })
  }
  const headers = { host: 'console.agency.example', cookie: 'own=1', 'x-capture-client': '198.51.100.1' }
  const answered = await ask('/a%20b?c=d', { method: 'POST', body: 'typed', headers })
  expect([answered.status, answered.headers.get('location'), answered.headers.getSetCookie()]).toEqual([
    303,
    '/next',
    ['one=1', 'two=2'],
  ])
  expect(await answered.json()).toEqual({
    path: '/a%20b?c=d',
    method: 'POST',
    client: '203.0.113.9',
    scheme: 'https',
    host: 'console.agency.example',
    cookie: 'own=1',
    body: 'typed',
  })
})

test('pieces of an upload and of a download go through as they come', async () => {
  const seen: string[] = []
  const next = Promise.withResolvers<void>()
  answer = async ({ body }) => {
    for await (const piece of body ?? []) {
      seen.push(new TextDecoder().decode(piece))
      next.resolve()
    }
    async function* answered() {
      yield 'begun'
      await rest.promise
      yield 'ended'
    }
    return new Response(answered())
  }
  const rest = Promise.withResolvers<void>()
  async function* sent() {
    yield 'first'
    await next.promise
    yield 'second'
  }
  const answered = await ask('/up', { method: 'POST', body: sent() })
  expect(seen.join('')).toBe('firstsecond')
  const reader = (answered.body as ReadableStream<Uint8Array>).getReader()
  expect(new TextDecoder().decode((await reader.read()).value)).toBe('begun')
  rest.resolve()
  expect(new TextDecoder().decode((await reader.read()).value)).toBe('ended')
})

test('a visitor who leaves a follower leaves the leader’s console', async () => {
  let hasLeft = false
  answer = ({ signal }) => {
    signal.addEventListener('abort', () => {
      hasLeft = true
    })
    const piece = new Uint8Array(1000)
    return new Response(new ReadableStream({ start: (controller) => controller.enqueue(piece) }))
  }
  const leaving = new AbortController()
  const { body } = await ask('/live', { signal: leaving.signal })
  await body?.getReader().read()
  leaving.abort()
  await eventually('the console notices', async () => hasLeft)
})

test('when nobody leads, pages try again by themselves, and programs get JSON', async () => {
  way.turnTo(null)
  const page = await ask('/a/acme')
  expect([page.status, page.headers.get('refresh'), await page.text()]).toEqual([
    503,
    '3',
    expect.stringContaining('This page tries again by itself.'),
  ])
  const form = await ask('/a/acme', { method: 'POST', body: 'x' })
  expect([form.status, form.headers.get('refresh')]).toEqual([503, null])
  const call = await ask('/api/v1/accounts')
  expect([call.status, call.headers.get('retry-after'), await call.json()]).toEqual([
    503,
    '3',
    { error: { code: 'unavailable', message: expect.any(String) } },
  ])
})

test('a node that does not lead passes nothing on, and answers nothing itself', async () => {
  answer = () => new Response('answered')
  leading.leads = false
  expect((await ask('/')).status).toBe(503)
  leading.leads = true
  expect(await (await ask('/')).text()).toBe('answered')
})

test('what the leader was asked is given up once another leads', async () => {
  const asked = Promise.withResolvers<void>()
  answer = () => {
    asked.resolve()
    return new Promise(() => {})
  }
  const asking = ask('/')
  await asked.promise
  way.turnTo(null)
  expect((await asking).status).toBe(503)
})

test('an authority hears from a follower what the leader has to say, and nothing else', async () => {
  const [token, other] = ['a-token-of-128-bits-in-base64', 'another-token-nobody-ordered-by']
  challenges.show(token, `${token}.thumbprint`)
  const elsewhere = new Http01Answers(challengesOf(way))
  expect(await elsewhere.answerTo(token)).toBe(`${token}.thumbprint`)
  expect(await elsewhere.answerTo(other)).toBeNull()
  expect(await elsewhere.answerTo('../../secret')).toBeNull()
  way.turnTo(null)
  expect(await elsewhere.answerTo(token)).toBeNull()
})

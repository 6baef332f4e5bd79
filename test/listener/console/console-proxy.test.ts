import { expect, test } from 'bun:test'
import { eventually } from '../../harness/eventually.ts'
import { RawConnection } from '../../harness/raw-http.ts'
import { AProxy } from './a-proxy.ts'

/** Longer than Bun's shortest idle timeout, with which connections end after 4 s at most. */
const longerThanIdleMs = 6000
const piece = new Uint8Array(100_000)
/** A machine that stands still for so long is not what a test is about. */
const slowSilentMs = 15_000

/** Never ends by itself. */
const endless = () => new Response(new ReadableStream({ pull: (controller) => controller.enqueue(piece) }))

test('a download is a use of the console until its last byte', async () => {
  const rest = Promise.withResolvers<void>()
  const pieces = (async function* () {
    yield piece
    await rest.promise
    yield piece
  })()
  await using proxy = AProxy.to(() => new Response(pieces))
  const { body } = await fetch(proxy.url)
  const reader = body?.getReader()
  await reader?.read()
  const during = proxy.uses
  rest.resolve()
  while (!(await reader?.read())?.done);
  await eventually('the use ends', async () => proxy.uses === 0)
  expect(during).toBe(1)
})

test('a request that a thread was sent before it ended is asked to come again', async () => {
  const asked = Promise.withResolvers<void>()
  await using proxy = AProxy.to(() => {
    asked.resolve()
    return new Promise(() => {})
  })
  const asking = fetch(proxy.url)
  await asked.promise
  proxy.threadEnd.abort()
  const { status, headers } = await asking
  expect([status, headers.has('retry-after'), proxy.uses]).toEqual([503, true, 0])
})

test('a client that leaves ends its use', async () => {
  await using proxy = AProxy.to(endless)
  const leaving = new AbortController()
  const { body } = await fetch(proxy.url, { signal: leaving.signal })
  await body?.getReader().read()
  expect(proxy.uses).toBe(1)
  leaving.abort()
  await eventually('the use ends', async () => proxy.uses === 0)
})

test('what has no body is no use any more', async () => {
  await using proxy = AProxy.to(() => new Response('whole', { status: 200 }))
  const head = await fetch(proxy.url, { method: 'HEAD' })
  expect([head.status, proxy.uses]).toEqual([200, 0])
})

test.concurrent('a console that thinks for longer than the idle timeout still answers', async () => {
  await using proxy = AProxy.to(
    async (request) => {
      const sent = await request.text()
      await Bun.sleep(longerThanIdleMs)
      return new Response(sent)
    },
    { idleTimeout: 1 },
  )
  expect(await (await fetch(proxy.url, { method: 'POST', body: 'sent' })).text()).toBe('sent')
})

test('a client that does not read its answer is cut', async () => {
  await using proxy = AProxy.to(endless, { silentMs: 50 })
  using client = await RawConnection.open(proxy.port)
  await client.say('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
  client.pause()
  await eventually('the client is found silent', async () => proxy.timeouts.length > 1)
  await eventually('its use ends', async () => proxy.uses === 0)
  expect(proxy.timeouts.slice(0, 2)).toEqual([0, 1])
})

test('a client that does not go on with its body is cut', async () => {
  await using proxy = AProxy.to(async (request) => new Response(await request.text()), { silentMs: 50 })
  using client = await RawConnection.open(proxy.port)
  await client.say('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nhalf')
  await eventually('the client is found silent', async () => proxy.timeouts.length > 1)
  await eventually('its use ends', async () => proxy.uses === 0)
  expect(proxy.timeouts.slice(0, 2)).toEqual([0, 1])
})

test('a client that sends its body a byte now and then is cut', async () => {
  await using proxy = AProxy.to(async (request) => new Response(await request.text()), { silentMs: 1000 })
  using client = await RawConnection.open(proxy.port)
  await client.say('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n')
  const drip = setInterval(() => void client.say('x'), 200)
  expect(await client.closed()).toBe('')
  clearInterval(drip)
})

test.concurrent('a body that comes slowly, but goes on, arrives whole', async () => {
  await using proxy = AProxy.to(async (request) => new Response(String((await request.text()).length)), {
    silentMs: slowSilentMs,
  })
  const pieces = 24
  async function* slowly() {
    for (let sent = 0; sent < pieces; sent++) {
      await Bun.sleep((1.2 * slowSilentMs) / pieces)
      yield piece
    }
  }
  const answer = await fetch(proxy.url, { method: 'POST', body: slowly() })
  expect(await answer.text()).toBe(String(pieces * piece.length))
})

const answers = {
  'with a body': new Response('whole'),
  'without a body': new Response(null, { status: 303, headers: { location: '/sign-in' } }),
}
for (const [what, answer] of Object.entries(answers))
  test(`a connection that is left open after an answer ${what} is closed`, async () => {
    await using proxy = AProxy.to(() => answer, { silentMs: 50 })
    using client = await RawConnection.open(proxy.port)
    await client.say('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
    expect(await client.closed()).toContain(String(answer.status))
  })

test('what is left of a body after the answer keeps no connection open', async () => {
  await using proxy = AProxy.to(() => new Response(null, { status: 401 }), { silentMs: 50 })
  using client = await RawConnection.open(proxy.port)
  await client.say('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n')
  const drip = setInterval(() => void client.say('x'), 200)
  expect(await client.closed()).toContain('401')
  clearInterval(drip)
})

test('one address takes a part of the places; its other requests wait until one leaves', async () => {
  await using proxy = AProxy.to(async (request) => new Response(await request.text()))
  const stalled = await Promise.all(Array.from({ length: 48 }, () => RawConnection.open(proxy.port)))
  for (const client of stalled) await client.say('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nhalf')
  await eventually('all of them have a place', async () => proxy.uses === 48)
  const further = fetch(proxy.url)
  const soon = await Promise.race([further, Bun.sleep(200)])
  for (const client of stalled) client[Symbol.dispose]()
  expect([soon, (await further).status]).toEqual([undefined, 200])
})

test('an answer that breaks off does so for the client, and writes nothing to stderr', async () => {
  const child = Bun.spawn(['bun', `${import.meta.dir}/breaks-off.ts`], { stdout: 'pipe', stderr: 'pipe' })
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()])
  expect([stdout, stderr]).toEqual(['broken off 0\n', ''])
})

test('a browser full of cookies is told to remove those of the whole domain, and the console is left alone', async () => {
  await using proxy = AProxy.to(() => new Response('the console'))
  const withCookies = (characters: number) =>
    fetch(proxy.url, { headers: { cookie: `x=${'a'.repeat(characters - 2)}` } })
  expect((await withCookies(8192)).status).toBe(200)
  const { status, headers } = await withCookies(8193)
  expect([status, headers.get('clear-site-data')]).toEqual([431, '"cookies"'])
})

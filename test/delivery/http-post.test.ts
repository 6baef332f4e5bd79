import { afterEach, describe, expect, test } from 'bun:test'
import { type HttpPostParts, httpPost, type ShownRequest } from '../../src/delivery/http-post.ts'
import { ipNetwork } from '../../src/lib/ip.ts'
import { Receiver } from '../harness/receiver.ts'

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

const partsOf = (overrides: Partial<HttpPostParts> = {}): HttpPostParts => ({
  guard: { allowed: [ipNetwork('127.0.0.0/8', 'allow_private')], isOwn: () => false },
  lookup: async () => ['127.0.0.1'],
  ca: null,
  now: () => 0,
  ...overrides,
})

const requestTo = (url: string, secrets: string[] = []): ShownRequest => ({
  url: new URL(url),
  headers: { 'Content-Type': 'application/json' },
  body: '{}',
  secrets,
})

/** A receiver below HTTP, which says these words to whatever it gets, and closes. */
function rawReceiver(words: string): string {
  const answer = (socket: { write: (text: string) => number; end: () => unknown }) => {
    socket.write(words)
    socket.end()
  }
  const server = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data: answer } })
  closing.push(() => server.stop(true))
  return `http://crm.test:${server.port}/`
}

describe('a receiver', () => {
  test('is called by its name at the address that was judged, looked up for each attempt', async () => {
    await using receiver = new Receiver()
    const looked: string[] = []
    const lookup = async (host: string) => {
      looked.push(host)
      return ['127.0.0.1']
    }
    const url = receiver.url('/hook', 'crm.test')
    for (let time = 0; time < 2; time++) await httpPost(requestTo(url), partsOf({ lookup }))
    expect(looked).toEqual(['crm.test', 'crm.test'])
    expect(receiver.received[0]?.headers.host).toBe(new URL(url).host)
  })

  test('whose name leads elsewhere at the second attempt gets only the first', async () => {
    await using receiver = new Receiver()
    const answers = [['127.0.0.1'], ['169.254.169.254']]
    const parts = partsOf({ lookup: async () => answers.shift() ?? [] })
    const url = receiver.url('/hook', 'rebinding.test')
    expect(await httpPost(requestTo(url), parts)).toMatchObject({ outcome: 'delivered' })
    expect(await httpPost(requestTo(url), parts)).toMatchObject({
      outcome: 'failed',
      status: null,
      error: expect.stringContaining('169.254.169.254'),
    })
    expect(receiver.received).toHaveLength(1)
  })

  test('that refuses connections at its first address is reached at its second', async () => {
    await using receiver = new Receiver()
    const parts = partsOf({ lookup: async () => ['127.0.0.2', '127.0.0.1'] })
    expect(await httpPost(requestTo(receiver.url('/', 'crm.test')), parts)).toMatchObject({ outcome: 'delivered' })
  })

  test.each([
    [500, 'failed'],
    [429, 'failed'],
    [301, 'failed'],
    [410, 'gone'],
    [200, 'delivered'],
    [299, 'delivered'],
  ] as const)('that answers %d makes the attempt %s', async (status, outcome) => {
    await using receiver = new Receiver({ answer: () => new Response(null, { status }) })
    expect(await httpPost(requestTo(receiver.url()), partsOf())).toMatchObject({ status, outcome })
  })

  test('says how long to wait', async () => {
    await using receiver = new Receiver({
      answer: () => new Response(null, { status: 503, headers: { 'retry-after': '120' } }),
    })
    expect(await httpPost(requestTo(receiver.url()), partsOf())).toMatchObject({ retryAfterMs: 120_000 })
  })

  test.each([
    ['closes without a word', ''],
    ['closes within its head', 'HTTP/1.1 200 OK\r\nContent-'],
    ['speaks another protocol', '220 mail.test ESMTP\r\n'],
  ])('that %s has failed', async (_, words) => {
    const attempt = await httpPost(requestTo(rawReceiver(words)), partsOf())
    expect(attempt).toMatchObject({
      outcome: 'failed',
      status: null,
      error: expect.stringMatching(/^Not delivered: .+\.$/),
    })
  })

  test('that dies within the body of its 2xx has taken the delivery', async () => {
    const url = rawReceiver('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf')
    expect(await httpPost(requestTo(url), partsOf())).toMatchObject({ outcome: 'delivered', status: 200 })
  })

  test('that answers with more than anybody reads is cut off', async () => {
    await using receiver = new Receiver({ answer: () => new Response('x'.repeat(5_000_000), { status: 500 }) })
    const { exchange } = await httpPost(requestTo(receiver.url()), partsOf())
    expect(exchange.length).toBeLessThanOrEqual(16_384)
    expect(exchange).toContain('longer than 65536 bytes')
  })

  test('that answers with a compressed bomb is not unpacked', async () => {
    const bomb = Bun.gzipSync(new Uint8Array(50_000_000))
    await using receiver = new Receiver({
      answer: () => new Response(bomb, { headers: { 'content-encoding': 'gzip' } }),
    })
    expect(await httpPost(requestTo(receiver.url()), partsOf())).toMatchObject({ outcome: 'delivered' })
  })

  test('that repeats a secret does not bring it into what is kept', async () => {
    await using receiver = new Receiver({ answer: ({ path }) => new Response(`no ${path} S3CRET`, { status: 400 }) })
    const { exchange } = await httpPost(
      requestTo(receiver.url('/services/T0KEN'), ['/services/T0KEN', 'S3CRET']),
      partsOf(),
    )
    expect(exchange).not.toMatch(/T0KEN|S3CRET/)
    expect(exchange).toContain('POST … HTTP/1.1')
  })
})

test('no proxy of the environment is used', async () => {
  await using receiver = new Receiver()
  await using proxy = new Receiver()
  const before = process.env.HTTP_PROXY
  process.env.HTTP_PROXY = proxy.url('')
  try {
    expect(await httpPost(requestTo(receiver.url()), partsOf())).toMatchObject({ outcome: 'delivered' })
  } finally {
    if (before === undefined) delete process.env.HTTP_PROXY
    else process.env.HTTP_PROXY = before
  }
  expect(proxy.received).toEqual([])
})

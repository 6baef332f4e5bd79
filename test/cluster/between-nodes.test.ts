import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { askNode, type NodePlace, startNodeListener } from '../../src/cluster/between-nodes.ts'
import { makeDefaultCertificate } from '../../src/https/default-certificate.ts'
import { newSecret } from '../../src/lib/sign.ts'

const secret = newSecret()
const pair = makeDefaultCertificate()
let asked = 0
let listener: Bun.Server<undefined>
let place: NodePlace
beforeAll(() => {
  listener = startNodeListener({
    address: { host: '127.0.0.1', port: 0 },
    ...{ pair, secret },
    answer: async (request) => {
      asked++
      const { pathname, search } = new URL(request.url)
      if (pathname === '/live') return new Response(live())
      return Response.json({
        target: pathname + search,
        headers: [...request.headers.keys()],
        body: await request.text(),
      })
    },
    onError: (error) => {
      throw error
    },
  })
  place = { address: `127.0.0.1:${listener.port}`, certificate: pair.certificate }
})
afterAll(() => listener.stop(true))

let next = Promise.withResolvers<string>()
/** Sends a piece each time that a test gives one. */
const live = (): ReadableStream<Uint8Array> =>
  new ReadableStream({
    async pull(controller) {
      controller.enqueue(new TextEncoder().encode(await next.promise))
      next = Promise.withResolvers()
    },
  })

const isAnswered = async (asking: Promise<Response>): Promise<boolean> => {
  const before = asked
  const answer = await asking.catch(() => null)
  expect(asked - before).toBe(answer?.status === 200 ? 1 : 0)
  return answer?.status === 200
}

describe('between two nodes', () => {
  test('a request arrives as it was sent, without its proof', async () => {
    const answer = await askNode(place, secret, '/a%20b?c=d&c=e', {
      method: 'POST',
      body: 'body',
      headers: { 'x-own': '1' },
    })
    const seen = (await answer.json()) as { target: string; headers: string[]; body: string }
    expect(seen).toMatchObject({ target: '/a%20b?c=d&c=e', body: 'body' })
    expect(seen.headers).toContain('x-own')
    expect(seen.headers).not.toContain('capture-node-proof')
  })

  test('pieces of an answer arrive as they are sent', async () => {
    // Bun sends an answer's head with its first piece.
    next.resolve('first')
    const answer = await askNode(place, secret, '/live')
    const reader = (answer.body as ReadableStream<Uint8Array>).getReader()
    expect(new TextDecoder().decode((await reader.read()).value)).toBe('first')
    for (const piece of ['one', 'two']) {
      next.resolve(piece)
      expect(new TextDecoder().decode((await reader.read()).value)).toBe(piece)
    }
    await reader.cancel()
  })

  test('whoever has another secret gets no answer', async () => {
    expect(await isAnswered(askNode(place, newSecret(), '/'))).toBe(false)
  })

  test('whoever brings a proof for another certificate gets no answer', async () => {
    const other = makeDefaultCertificate()
    let proof: string | null = null
    await using thief = startNodeListenerOf(other, (request) => {
      proof = request.headers.get('capture-node-proof')
      return new Response()
    })
    await askNode({ address: `127.0.0.1:${thief.port}`, certificate: other.certificate }, secret, '/')
    expect(proof).not.toBeNull()
    const headers = { 'capture-node-proof': proof ?? '' }
    expect(await isAnswered(fetch(`https://${place.address}/`, { headers, tls: { rejectUnauthorized: false } }))).toBe(
      false,
    )
  })

  test('nothing is sent to whoever shows another certificate', async () => {
    const claimed = { ...place, certificate: makeDefaultCertificate().certificate }
    expect(await isAnswered(askNode(claimed, secret, '/', { method: 'POST', body: 'secret' }))).toBe(false)
  })
})

/** Somebody at the place of a node, who sees whatever it is sent. */
function startNodeListenerOf(own: typeof pair, fetch: (request: Request) => Response) {
  const tls = { key: own.key, cert: own.certificate }
  const server = Bun.serve({ hostname: '127.0.0.1', port: 0, tls, fetch })
  return { port: server.port, [Symbol.asyncDispose]: () => server.stop(true) }
}

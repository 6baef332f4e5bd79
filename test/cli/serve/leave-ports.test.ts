import { expect, test } from 'bun:test'
import { leavePorts } from '../../../src/cli/serve/serving-ends.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import { openLog } from '../../../src/lib/log.ts'
import { RequestQueue } from '../../../src/lib/request-queue.ts'
import { serveOptions, startListener, stopGently, turnsWhile } from '../../../src/listener/listener.ts'
import { RequestHandler } from '../../../src/listener/request-handler.ts'
import { CertificateFigures } from '../../../src/operator/figures.ts'
import { TlsClient } from '../../binary/harness/tls-client.ts'
import { makeCertificate } from '../../harness/certificates.ts'
import { waitMsMax } from '../../harness/eventually.ts'
import { RawConnection, rawRequest } from '../../harness/raw-http.ts'

const address = { host: '127.0.0.1', port: 0 }
const clock = systemClock
const log = openLog({ level: 'error', format: 'json', write: () => {}, now: clock.now })
const noRequests = { inFlight: 0 }
const asksAgain = rawRequest(['GET / HTTP/1.1', 'host: go.acme.test'])

test('a client that keeps its connection is asked to reconnect before it is closed', async () => {
  const queue = new RequestQueue({ waitingMax: 0, waitMsMax: 0 })
  const basics = { queue, clock, certificates: new CertificateFigures(clock), log, previewHost: '' }
  const listener = startListener(basics, address)
  using client = await RawConnection.open(listener.port)
  await client.say(asksAgain)
  expect((await client.answer())?.headers.get('connection')).not.toBe('close')
  const drain = () => {
    listener.drain()
    void client.say(asksAgain)
  }
  const leaving = leavePorts({ listeners: { ...listener, drain }, requests: noRequests, clock })
  expect((await client.answer())?.headers.get('connection')).toBe('close')
  await leaving
})

test('who connects while the process is kept from running is answered before the listener closes', async () => {
  const server = Bun.serve({ ...serveOptions(address), fetch: () => new Response('here') })
  const leaving = leavePorts({ listeners: listenersOf(server), requests: noRequests, clock })
  const visit = visited(server.port ?? 0)
  // Longer than the pause for clients, on any machine.
  Bun.sleepSync(500)
  expect((await visit)?.body).toBe('here')
  await (await leaving).closed
})

test('a listener that stops waits for the rest of a head', async () => {
  const queue = new RequestQueue({ waitingMax: 0, waitMsMax: 0 })
  const basics = { queue, clock, certificates: new CertificateFigures(clock), log, previewHost: '' }
  const listener = startListener(basics, address)
  using late = await RawConnection.open(listener.port)
  await late.say('GET / HTTP/1.1\r\n')
  // The kernel hands over what was sent before in the order in which it came.
  expect((await visited(listener.port))?.status).toBe(503)
  const stopped = listener.stop(waitMsMax)
  // More turns of the same loop than spare connections get.
  await turnsWhile(() => true, { turnsMax: 60 })
  await late.say('host: go.acme.test\r\n\r\n')
  expect((await late.answer())?.status).toBe(503)
  await stopped
})

test('a visitor in a handshake when the listener closes is answered before the data folder goes', async () => {
  let hasLeft = false
  const { certificate: cert, key } = makeCertificate('go.acme.test')
  const server = Bun.serve({
    ...serveOptions(address),
    tls: { cert, key },
    fetch: () => new Response(hasLeft ? 'too late' : 'in time'),
  })
  using client = await TlsClient.open(server.port ?? 0, 'go.acme.test')
  const listeners = listenersOf(server, () => client.say(asksAgain))
  const leaving = leavePorts({ listeners, requests: noRequests, clock }).then(({ closed }) => {
    hasLeft = true
    return closed
  })
  expect((await client.answer())?.body).toBe('in time')
  await leaving
})

test('a connection that no request has used is closed, though Bun would keep it', async () => {
  const { certificate: cert, key } = makeCertificate('go.acme.test')
  const server = Bun.serve({
    ...serveOptions(address),
    idleTimeout: 0,
    tls: { cert, key },
    fetch: () => new Response(),
  })
  using client = await TlsClient.open(server.port ?? 0, 'go.acme.test')
  const { closed } = await leavePorts({ listeners: listenersOf(server), requests: noRequests, clock })
  await closed
  expect(await client.answer()).toBeNull()
})

test('a download goes on, and who asks beside it over an old connection is broken off without an answer', async () => {
  const handler = new RequestHandler(new RequestQueue({ waitingMax: 0, waitMsMax: 0 }), 'http')
  const mayEnd = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  const download = async (): Promise<Response> => {
    asked.resolve()
    await mayEnd.promise
    return new Response('whole')
  }
  const server = Bun.serve({
    ...serveOptions(address),
    fetch: (request, server) => (request.url.endsWith('/long') ? download() : handler.answer(request, server)),
  })
  const listeners = { ...listenersOf(server), leave: () => handler.leave() }
  using long = await RawConnection.open(server.port ?? 0)
  await long.say(rawRequest(['GET /long HTTP/1.1', 'host: go.acme.test']))
  await asked.promise
  using late = await RawConnection.open(server.port ?? 0)
  await late.say('GET / HTTP/1.1\r\n')
  // The kernel hands over what was sent before in the order in which it came.
  expect((await visited(server.port ?? 0))?.status).toBe(503)
  const { closed } = await leavePorts({ listeners, requests: noRequests, clock })
  await late.say('host: go.acme.test\r\n\r\n')
  expect(await late.answer()).toBeNull()
  mayEnd.resolve()
  expect((await long.answer())?.body).toBe('whole')
  await closed
})

test('a request without an end holds the ports for six seconds of the clock, however slowly the process runs', async () => {
  let nowMs = 0
  const slow = { monotonicMs: () => (nowMs += 500) }
  const listeners = { drain: () => {}, leave: () => {}, stop: async () => {} }
  await leavePorts({ listeners, requests: { inFlight: 1 }, clock: slow })
  expect(nowMs).toBeWithin(6000, 8000)
})

/** @param onClosed told when connections are no longer accepted */
const listenersOf = (server: Bun.Server<undefined>, onClosed = () => {}) => ({
  drain: () => {},
  leave: () => {},
  stop: (graceMs: number) => {
    const stopped = stopGently(server, graceMs)
    onClosed()
    return stopped
  },
})

async function visited(port: number) {
  using client = await RawConnection.open(port)
  await client.say(asksAgain)
  return await client.answer()
}

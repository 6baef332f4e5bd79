import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { aForm, aSite } from '../harness/a-site.ts'
import { formRequest } from '../harness/capture-requests.ts'
import { buildMsMax } from '../harness/executable.ts'
import { RawConnection, rawRequest } from '../harness/raw-http.ts'
import { pdf } from '../harness/visitor-files.ts'
import { BinaryBox } from './harness/binary-box.ts'
import { ControlClient } from './harness/control-client.ts'
import { NotifySocket } from './harness/notify-socket.ts'
import type { RunningProgram } from './harness/program.ts'
import { secureBox, securePorts } from './harness/secure-box.ts'
import { SlowClient } from './harness/slow-client.ts'
import { migratesHandshakes, TlsClient } from './harness/tls-client.ts'
import { Visitors } from './harness/visitors.ts'

// One process of the service takes over from another (docs/decisions/0037), over real sockets.

const host = 'go.acme.test'
const handovers = 4
const listening = /"message":"Listening\."/
/** More than the kernel's buffers on both sides take. */
const longFile = new Uint8Array(32 * 1024 * 1024)

/** What all but two begin with. */
let prepared: BinaryBox
beforeAll(async () => {
  prepared = await BinaryBox.make()
  await prepared.apply(aSite())
}, buildMsMax)
afterAll(() => prepared[Symbol.asyncDispose]())

test('the service is taken over again and again under load: no request is lost, and every record is there', async () => {
  await using box = await secureBox([host])
  prepared.copyTo(box)
  const first = await box.serve()
  const { https } = securePorts(first)
  const visitors = new Visitors({ plain: first.port, tls: https }, host, [
    ...times(4, { requestsMax: Number.POSITIVE_INFINITY }),
    ...times(2, { requestsMax: 20 }),
    ...times(2, { requestsMax: 1 }),
    ...times(3, { tls: host, requestsMax: Number.POSITIVE_INFINITY }),
    ...times(2, { tls: host, requestsMax: 20 }),
    ...times(1, { tls: host, requestsMax: 1 }),
  ])
  let serving: RunningProgram = first
  for (let time = 0; time < handovers; time++) {
    await visitors.moreAnswers(50)
    const next = box.start(['serve', '--replace'])
    await next.says('stderr', /"message":"Listening\."/)
    expect(await serving.ended()).toEqual({ status: 0, signal: null })
    serving = next
  }
  await visitors.moreAnswers(50)
  const { submissionIds, failedConnections, lost, refused } = await visitors.stop()
  await serving.stop()
  expect({ lost, refused }).toEqual({ lost: 0, refused: [] })
  // The kernel drops what waits where a listener closes, unless it may hand it to the one beside.
  if (migratesHandshakes()) expect(failedConnections).toEqual([])
  const stored = (await box.submissions()).map(({ submissionId }) => submissionId)
  expect(stored.toSorted()).toEqual(submissionIds.toSorted())
})

test('a download that runs comes to its end in the process that was taken over from', async () => {
  await using box = await BinaryBox.make()
  await box.apply(aSite({ files: { 'files/long.bin': longFile } }))
  const server = await box.serve()
  using client = await SlowClient.open(server.port)
  client.say(`GET /_svc/file/long.bin HTTP/1.1\r\nhost: ${host}\r\n\r\n`)
  const first = await client.firstBytes()
  await using next = box.start(['serve', '--replace'])
  await next.says('stderr', listening)
  const rest = await client.rest()
  expect(Buffer.from(first + rest, 'latin1').length).toBeGreaterThan(longFile.byteLength)
  expect(await server.ended()).toEqual({ status: 0, signal: null })
})

test('a form that is half sent when another process takes over is answered and stored', async () => {
  const { box, server } = await servedBox()
  await using _box = box
  const body = JSON.stringify({ email: 'ada@example.test' })
  using client = await SlowClient.open(server.port)
  client.say(
    `POST /_svc/f/contact1 HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n{`,
  )
  // What was said before has been read once this is answered.
  await server.send(formRequest())
  await using next = box.start(['serve', '--replace'])
  await server.says('stderr', /Handing over/)
  client.say(body.slice(1))
  expect(await client.rest()).toStartWith('HTTP/1.1 200 ')
  await next.says('stderr', listening)
  expect(await box.submissions()).toHaveLength(2)
})

test('a file that is half sent when another process takes over is to be sent again', async () => {
  await using box = await BinaryBox.make()
  await box.apply(aSite({ forms: [aForm({ files: { cv: { types: ['pdf'], max: '1MB' } } })] }))
  const server = await box.serve()
  using client = await SlowClient.open(server.port)
  client.say(
    `POST /_svc/u/contact1?field=cv HTTP/1.1\r\nhost: ${host}\r\ncontent-length: ${pdf().length}\r\nconnection: close\r\n\r\n%PDF`,
  )
  await server.send(formRequest())
  await using next = box.start(['serve', '--replace'])
  await server.says('stderr', /Handing over/)
  client.say(Buffer.from(pdf()).toString().slice('%PDF'.length))
  expect(await client.rest()).toMatch(/^HTTP\/1\.1 429 [\s\S]*retry-after: 1\r\n/i)
  await next.says('stderr', listening)
  expect(readdirSync(join(box.dataDir, 'waiting-files'))).toEqual([])
})

test('a connection that was opened before another process takes over, and used after it, gets no 503', async () => {
  await using box = await secureBox([host])
  prepared.copyTo(box)
  const server = await box.serve()
  using spare = await TlsClient.open(securePorts(server).https, host)
  await using next = box.start(['serve', '--replace'])
  await next.says('stderr', listening)
  await spare.say(rawRequest(['POST /_svc/f/contact1 HTTP/1.1', `host: ${host}`, 'content-length: 2']) + '{}')
  expect(await spare.answer()).toBeNull()
  expect(await server.ended()).toEqual({ status: 0, signal: null })
})

test('the console answers throughout a hand-over, also what was half sent when it began', async () => {
  await using box = await prepared.copy({ console: { listen: '127.0.0.1:0' } })
  const server = await box.serve()
  const port = Number(/Listening for the console\..*?"port":(\d+)/.exec(server.stderr)?.[1])
  const asks = rawRequest(['GET / HTTP/1.1', `host: localhost:${port}`])
  using half = await RawConnection.open(port)
  await half.say(halfSignIn(port))
  const statuses = new Set<number | undefined>()
  const ask = async (): Promise<void> => {
    using client = await RawConnection.open(port)
    await client.say(asks)
    statuses.add((await client.answer())?.status)
  }
  await ask()
  const next = box.start(['serve', '--replace'])
  await using _next = next
  let isOver = false
  const asking = (async () => {
    while (!isOver) await ask()
  })()
  await next.says('stderr', listening)
  await half.say('=')
  statuses.add((await half.answer())?.status)
  await ask()
  isOver = true
  await asking
  // The kernel drops what waits where a listener closes, unless it may hand it to the one beside.
  const isFault = (status = migratesHandshakes() ? 503 : 200): boolean => status >= 500
  expect([...statuses].filter(isFault)).toEqual([])
  expect(await server.ended()).toEqual({ status: 0, signal: null })
})

test('where no service runs, it is an ordinary start', async () => {
  await using box = await prepared.copy()
  await using next = box.start(['serve', '--replace'])
  await next.says('stderr', listening)
})

test('a service that hangs is left alone, and goes on when it hangs no more', async () => {
  const { box, server } = await servedBox()
  await using _box = box
  server.signal('SIGSTOP')
  const { status, stderr } = await box.run(['serve', '--replace'])
  server.signal('SIGCONT')
  expect({ status, said: stderr.includes('does not answer') }).toEqual({ status: 1, said: true })
  expect((await server.send(formRequest())).status).toBe(200)
  expect(server.stderr).not.toContain('Handing over')
})

test('the service goes on when the process that asked goes away before it has said anything, or once it has the data folder', async () => {
  const { box, server } = await servedBox()
  await using _box = box
  for (const heard of [[], ['free']]) {
    const begunAt = server.stderr.length
    using asking = await ControlClient.open(box.dataDir)
    await asking.hears('hello')
    asking.say({ say: 'take over', pid: process.pid })
    for (const word of heard) await asking.hears(word)
    asking[Symbol.dispose]()
    const goesOn = new RegExp(`did not take over[\\s\\S]*${listening.source}`)
    await server.saysSo('stderr', 'that it goes on', (text) => goesOn.exec(text.slice(begunAt)))
    expect((await server.send(formRequest())).status).toBe(200)
    expect(server.pid).toBe(box.servingPid() ?? 0)
  }
  expect(await server.stop()).toEqual({ status: 0, signal: null })
})

test('under a service manager only a process of the service may take over', async () => {
  await using manager = new NotifySocket()
  const { box, server } = await servedBox({ NOTIFY_SOCKET: manager.name })
  await using _box = box
  const { status, stderr } = await box.run(['serve', '--replace'])
  expect({ status, said: stderr.includes('service manager runs this service') }).toEqual({ status: 1, said: true })
  expect((await server.send(formRequest())).status).toBe(200)
})

test('a faulty configuration, or a port of somebody else, ends the new one before anybody notices', async () => {
  const { box, server } = await servedBox()
  await using _box = box
  using other = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response('other') })
  for (const listen of ['nowhere', `127.0.0.1:${other.port}`]) {
    const { status } = await box.run(['serve', '--replace'], {
      CAPTURE_OPERATOR_LISTEN: listen,
      CAPTURE_SERVER_LISTEN: listen,
    })
    expect(status).toBe(1)
  }
  expect((await server.send(formRequest())).status).toBe(200)
  expect(server.stderr).not.toContain('Handing over')
})

test('a new process that cannot take over answers those who wait for it, and the old one serves on', async () => {
  const { box, server } = await servedBox()
  await using _box = box
  const visitors = new Visitors({ plain: server.port }, host, times(8, { requestsMax: 1 }))
  await visitors.moreAnswers(20)
  const { status, stderr } = await box.run(['serve', '--replace'], { CAPTURE_SERVER_PREVIEW_HOST: host })
  expect({ status, said: stderr.includes('is a connected domain') }).toEqual({ status: 1, said: true })
  await visitors.moreAnswers(20)
  const { lost, refused, failedConnections } = await visitors.stop()
  expect(failedConnections.filter((fault) => migratesHandshakes() || !fault.startsWith('reset'))).toEqual([])
  expect({ lost, others: refused.filter((answer) => !answer.startsWith('503 ')) }).toEqual({ lost: 0, others: [] })
})

/** All but the last byte: it is under way until that comes. */
const halfSignIn = (port: number): string =>
  rawRequest([
    'POST /sign-in HTTP/1.1',
    `host: localhost:${port}`,
    'sec-fetch-site: same-origin',
    'content-type: application/x-www-form-urlencoded',
    'content-length: 6',
  ]) + 'email'

async function servedBox(env: Record<string, string> = {}) {
  const box = await prepared.copy()
  return { box, server: await box.serve(env) }
}

const times = <T>(count: number, one: T): T[] => Array.from({ length: count }, () => one)

// With few descriptors, neither downloads that nobody reads nor silent connections keep others out of forms and pages.
import { expect, test } from 'bun:test'
import { connect, type Socket } from 'node:net'
import { aSite } from '../harness/a-site.ts'
import { formRequest } from '../harness/capture-requests.ts'
import { eventually } from '../harness/eventually.ts'
import { sendRequest } from '../harness/http.ts'
import { RawConnection, rawRequest } from '../harness/raw-http.ts'
import { type ServerProcess, startServer } from '../harness/server-process.ts'
import { visit } from '../harness/visits.ts'
import { BinaryBox } from './harness/binary-box.ts'

const descriptors = 256
/** Answers in some seconds: what runs in the background does so twice a second or oftener. */
const refusedMin = 20

/** More than the sockets' buffers hold. */
const longFilmBytes = 16 * 1024 * 1024

async function boxWithFilm(bytes = longFilmBytes): Promise<BinaryBox> {
  const box = await BinaryBox.make()
  const film = new Uint8Array(bytes)
  await box.apply(aSite({ files: { 'pages/launch.html': 'Hello', 'files/film.bin': film } }))
  return box
}

const serveWith = (box: BinaryBox): Promise<ServerProcess> =>
  startServer(box.configFile, box.dir, ['sh', '-c', `ulimit -n ${descriptors}; exec "$0" "$@"`, box.executable])

/** Sockets that ask for the film from an address of the loopback network, and never read more than the first bytes. */
class Unread implements Disposable {
  readonly statuses: string[] = []
  readonly retryAfter: (string | undefined)[] = []
  private readonly sockets: Socket[] = []

  constructor(
    private readonly port: number,
    count: number,
    addressOf: (i: number) => string,
  ) {
    for (let i = 0; i < count; i++) this.ask(addressOf(i))
  }

  async answered(): Promise<void> {
    await eventually('all are answered', async () => this.statuses.length === this.sockets.length)
  }

  count(status: string): number {
    return this.statuses.filter((found) => found === status).length
  }

  [Symbol.dispose](): void {
    for (const socket of this.sockets) socket.destroy()
  }

  private ask(localAddress: string): void {
    const socket = connect({ host: '127.0.0.1', port: this.port, localAddress })
    socket.on('error', () => {})
    socket.write('GET /_svc/file/film.bin HTTP/1.1\r\nHost: go.acme.test\r\n\r\n')
    socket.once('data', (head) => {
      socket.pause()
      this.statuses.push(head.toString('latin1').slice(9, 12))
      this.retryAfter.push(/^retry-after: (\d+)/im.exec(head.toString('latin1'))?.[1])
    })
    this.sockets.push(socket)
  }
}

/** Connections that say nothing. One that the server closes is followed by another, so that all descriptors stay taken. */
class Silent implements Disposable {
  private readonly sockets = new Set<Socket>()
  private isOver = false

  constructor(
    private readonly port: number,
    count: number,
  ) {
    for (let i = 0; i < count; i++) this.connect()
  }

  [Symbol.dispose](): void {
    this.isOver = true
    for (const socket of this.sockets) socket.destroy()
  }

  private connect(): void {
    const socket = connect({ host: '127.0.0.1', port: this.port }).on('error', () => {})
    this.sockets.add(socket)
    socket.once('close', () => {
      this.sockets.delete(socket)
      if (!this.isOver) this.connect()
    })
  }
}

interface Counted {
  check: string
  count: number
}

async function expectOthersServed({ port }: ServerProcess): Promise<void> {
  expect((await sendRequest(port, visit('/launch'))).text).toBe('Hello')
  expect((await sendRequest(port, formRequest())).status).toBe(200)
}

test('190 downloads of one address that nobody reads: it gets a few and 429, and others are served', async () => {
  await using box = await boxWithFilm()
  const server = await serveWith(box)
  using unread = new Unread(server.port, 190, () => '127.0.0.2')
  await unread.answered()
  expect([unread.count('200'), unread.count('429')]).toEqual([12, 178])
  expect(unread.retryAfter.filter((seconds) => Number(seconds) > 0)).toHaveLength(178)
  await expectOthersServed(server)
  await eventually('they are counted', async () => {
    const { refusals } = JSON.parse(await box.done(['refusals', 'acme', '--json'])) as { refusals: Counted[] }
    return refusals.some(({ check, count }) => check === 'downloads_per_address' && count === 178)
  })
  unread[Symbol.dispose]()
  await server.stop()
})

test('downloads of many addresses that nobody reads: some get 503, pages and forms go on', async () => {
  await using box = await boxWithFilm()
  const server = await serveWith(box)
  using unread = new Unread(server.port, 90, (i) => `127.0.1.${i + 1}`)
  await unread.answered()
  expect([unread.count('200'), unread.count('503')]).toEqual([48, 42])
  await expectOthersServed(server)
  unread[Symbol.dispose]()
  await server.stop()
})

test('with every descriptor taken, forms are stored, downloads are answered 503, nothing is 500, and one reason is logged', async () => {
  // Short, because the visitor's connection would be closed as silent while a long one is read.
  await using box = await boxWithFilm(1024 * 1024)
  const server = await serveWith(box)
  using visitor = await RawConnection.open(server.port)
  using reader = await RawConnection.open(server.port)
  const page = rawRequest(['GET /launch HTTP/1.1', 'Host: go.acme.test'])
  // Read once, a page is in memory.
  await visitor.say(page)
  expect((await visitor.answer())?.status).toBe(200)
  using silent = new Silent(server.port, descriptors + 20)
  const film = rawRequest(['GET /_svc/file/film.bin HTTP/1.1', 'Host: go.acme.test'])
  let refused = 0
  await eventually(
    'no descriptor is left, for as long as it takes all work in the background to meet that',
    async () => {
      // A connection that is silent for long would be closed.
      await visitor.say(page)
      expect((await visitor.answer())?.status).toBe(200)
      await reader.say(film)
      const answer = await reader.answer()
      if (answer?.status === 503) expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
      expect([200, 503]).toContain(answer?.status ?? 0)
      if (answer?.status === 503) refused++
      return refused === refusedMin
    },
  )
  const { body, headers } = formRequest()
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const length = `Content-Length: ${String(body).length}`
  await visitor.say(
    rawRequest(['POST /_svc/f/contact1 HTTP/1.1', 'Host: go.acme.test', ...lines, length], String(body)),
  )
  expect((await visitor.answer())?.status).toBe(200)
  silent[Symbol.dispose]()
  await server.stop()
  expect(server.complaints.map((line) => JSON.parse(line).message)).toEqual([
    expect.stringContaining('no file descriptor left'),
  ])
  expect((await box.submissions()).length).toBe(1)
})

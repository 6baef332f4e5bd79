// Downloads that nobody reads are cut, slow readers get everything, and both over real sockets.
import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Downloads, downloadBounds } from '../../src/listener/assets/downloads.ts'
import { readSendQueues, type SendQueues } from '../../src/listener/peer-source.ts'
import { eventually } from '../harness/eventually.ts'

/** More than the sockets' buffers hold, so that the service waits for the client. */
const filmBytes = 16 * 1024 * 1024
const watchMs = 50
/** How often progress is looked for without any before a download is cut. */
const looksMax = 8
/** At this pace the server has nothing to write for more looks than that again and again, while the reader goes on. */
const slowBytesPerLook = 100 * 1024
/** The kernel tells of room for 400 KB, of four looks: together with those, too few to be cut. */
const looksAtOnceMax = 3
const dir = mkdtempSync(join(tmpdir(), 'capture-downloads-'))
const film = join(dir, 'film.bin')
writeFileSync(film, new Uint8Array(filmBytes))
afterAll(() => rmSync(dir, { recursive: true }))

interface Served extends Disposable {
  port: number
  outcomes: string[]
}

/** A server that answers every request with the film, as far as there is room. */
function serving(overrides: {
  bounds?: { openMax: number; openPerAddressMax: number }
  stalledMs?: number
  sendQueues?: () => Promise<SendQueues | null>
  monotonicMs?: () => number
}): Served {
  const { bounds = { openMax: 100, openPerAddressMax: 100 }, stalledMs = 1000, sendQueues = readSendQueues } = overrides
  const downloads = new Downloads({
    bounds,
    sendQueues,
    monotonicMs: overrides.monotonicMs ?? (() => performance.now()),
    pace: { stalledMs, watchMs },
  })
  const outcomes: string[] = []
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch(request, server) {
      const clientAddress = request.headers.get('x-address') ?? '198.18.0.1'
      const outcome = downloads.begin({ request, server, clientAddress })
      outcomes.push(outcome)
      return outcome === 'begun' ? new Response(Bun.file(film)) : new Response(null, { status: 503 })
    },
  })
  return {
    port: server.port ?? 0,
    outcomes,
    [Symbol.dispose]() {
      downloads.stop()
      server.stop(true)
    },
  }
}

/** Asks for the film, and reads nothing yet. */
async function asked(port: number, address = '198.18.0.1'): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port })
  socket.on('error', () => {})
  await new Promise((resolve) => socket.once('connect', resolve))
  socket.pause()
  socket.write(`GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Address: ${address}\r\n\r\n`)
  return socket
}

/** Reads to the end; answers how many bytes came. @param rest is awaited after each piece */
async function read(socket: Socket, rest = async (_bytes: number): Promise<void> => {}): Promise<number> {
  let bytes = 0
  for await (const chunk of socket) {
    const { length } = chunk as Buffer
    bytes += length
    await rest(length)
  }
  return bytes
}

test('one that nobody reads is cut, and its place is free again', async () => {
  let nowMs = 0
  using served = serving({ bounds: { openMax: 1, openPerAddressMax: 1 }, monotonicMs: () => nowMs })
  const unread = await asked(served.port)
  await eventually('it has begun', async () => served.outcomes.length === 1)
  const outcomeOfNext = async () => {
    const before = served.outcomes.length
    const next = await asked(served.port)
    await eventually('it is answered', async () => served.outcomes.length > before)
    next.destroy()
    return served.outcomes.at(-1)
  }
  expect(await outcomeOfNext()).toBe('address')
  await eventually('another gets its place', async () => {
    nowMs += 1000
    return (await outcomeOfNext()) === 'begun'
  })
  expect(await read(unread)).toBeLessThan(filmBytes)
})

/** A clock that goes on by one millisecond each time progress is looked for, so that a busy machine changes nothing. */
function clockOfLooks() {
  let count = 0
  return {
    stalledMs: looksMax,
    monotonicMs: () => count,
    sendQueues: () => {
      count++
      return readSendQueues()
    },
  }
}

/**
 * A reader's rest by that clock, which stands still once the server has written all. A busy machine hands out large
 * pieces: after none of them it rests for too long.
 */
function restByLooks({ monotonicMs }: ReturnType<typeof clockOfLooks>) {
  let unrested = 0
  return async (bytes: number) => {
    unrested += bytes / slowBytesPerLook
    if (unrested < 1) return
    const until = monotonicMs() + Math.min(Math.floor(unrested), looksAtOnceMax)
    unrested = 0
    for (let waits = 0; monotonicMs() < until && waits < 2 * looksAtOnceMax; waits++) await Bun.sleep(watchMs)
  }
}

test('one that is read slowly is sent whole, though the server has nothing to write for longer than the limit', async () => {
  const clock = clockOfLooks()
  using served = serving(clock)
  expect(await read(await asked(served.port), restByLooks(clock))).toBeGreaterThanOrEqual(filmBytes)
})

test('where the system shows no queues, one that nobody reads is cut by the idle timeout', async () => {
  using served = serving({ sendQueues: async () => null, bounds: { openMax: 1, openPerAddressMax: 1 } })
  await asked(served.port)
  await eventually('it has begun', async () => served.outcomes.length === 1)
  await eventually('another gets its place', async () => {
    const before = served.outcomes.length
    const next = await asked(served.port)
    await eventually('it is answered', async () => served.outcomes.length > before)
    next.destroy()
    return served.outcomes.at(-1) === 'begun'
  })
})

test('the bounds hold for an address and in all; an IPv6 network of /64 is one address', async () => {
  using served = serving({ bounds: { openMax: 3, openPerAddressMax: 2 }, stalledMs: 300_000 })
  const addresses = ['2001:db8::1', '2001:db8::2', '2001:db8::3', '198.18.0.1', '198.18.0.2']
  for (const [i, address] of addresses.entries()) {
    await asked(served.port, address)
    await eventually(`request ${i} is answered`, async () => served.outcomes.length === i + 1)
  }
  expect(served.outcomes).toEqual(['begun', 'begun', 'address', 'begun', 'box'])
})

test('downloads that have ended take no place, however many there were', async () => {
  using served = serving({ bounds: { openMax: 2, openPerAddressMax: 2 }, ...clockOfLooks() })
  for (let i = 0; i < 8; i++) expect(await read(await asked(served.port))).toBeGreaterThanOrEqual(filmBytes)
  expect(served.outcomes).toEqual(Array(8).fill('begun'))
})

describe('the bounds follow from the descriptors:', () => {
  test.each([
    [256, { openMax: 48, openPerAddressMax: 12 }],
    [1024, { openMax: 240, openPerAddressMax: 32 }],
    [524_288, { openMax: 1000, openPerAddressMax: 32 }],
    [Number.POSITIVE_INFINITY, { openMax: 1000, openPerAddressMax: 32 }],
    [64, { openMax: 6, openPerAddressMax: 6 }],
  ])('%d', (descriptors, bounds) => {
    expect(downloadBounds(descriptors)).toEqual(bounds)
  })
})

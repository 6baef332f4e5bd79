import { beforeEach, expect, test } from 'bun:test'
import { setImmediate } from 'node:timers/promises'
import type { Peer } from '../../src/listener/peer-source.ts'
import { PipelineLimit } from '../../src/listener/pipeline-limit.ts'

let spentMs: number
let limit: PipelineLimit

beforeEach(() => {
  spentMs = 5_000
  limit = new PipelineLimit(() => spentMs)
})

const peer = (port: number, address = '203.0.113.9'): Peer => ({ address, port })

/** How many of a connection's requests are answered before one is refused. */
function answered(from: Peer | null, count: number): number {
  for (let n = 0; n < count; n++) if (limit.refuses(from)) return n
  return count
}

/** A turn of the event loop that connections with many requests have kept for too long. */
function longTurn(): void {
  answered(peer(1), 200)
  spentMs += 101
}

test('the first connection with many requests has them all answered', () => {
  longTurn()
  expect(answered(peer(1), 10_000)).toBe(10_000)
})

test('while the turn is short, each connection has all its requests answered', () => {
  longTurn()
  spentMs -= 1
  expect(answered(peer(2), 200)).toBe(200)
})

test('in a long turn, each other connection has a few requests answered', () => {
  longTurn()
  expect([2, 3, 4].map((port) => answered(peer(port), 200))).toEqual([4, 4, 4])
})

test('in a long turn, the same port of another address is another connection', () => {
  longTurn()
  expect(answered(peer(1, '203.0.113.10'), 200)).toBe(4)
})

test('in a long turn, single requests of many connections are answered', () => {
  longTurn()
  const one = (n: number) => limit.refuses(peer(2 + (n % 50)))
  expect(Array.from({ length: 500 }, (_, n) => one(n))).not.toContain(true)
})

test('the next turn begins anew', async () => {
  longTurn()
  expect(answered(peer(2), 200)).toBe(4)
  await setImmediate()
  expect(answered(peer(2), 200)).toBe(200)
})

test('requests of one connection in many turns are answered', async () => {
  longTurn()
  await setImmediate()
  answered(peer(1), 200)
  for (let turn = 0; turn < 20; turn++) {
    await setImmediate()
    spentMs += 101
    expect(limit.refuses(peer(2))).toBe(false)
  }
})

test('a connection that many visitors share has all its requests answered', () => {
  longTurn()
  expect(answered(null, 200)).toBe(200)
})

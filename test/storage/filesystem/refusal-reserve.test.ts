import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, statSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RefusalCount, RefusalTotal } from '../../../src/capture/refusal-log.ts'
import { ReservedRefusalLog } from '../../../src/capture/refusal-reserve.ts'
import { FileRefusalReserve } from '../../../src/storage/filesystem/refusal-reserve.ts'

// What a log that is full says of refusals for want of storage.

let dir = ''
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'capture-reserve-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

/** A log that takes nothing while it is full. */
class TestLog {
  isFull = false
  readonly written: RefusalCount[] = []

  async add(counts: RefusalCount[]): Promise<void> {
    if (this.isFull) throw new Error('the disk is full')
    this.written.push(...counts)
  }

  async read(): Promise<RefusalTotal[]> {
    return this.written.map(({ endpoint, check, origin, count }) => ({ endpoint, check, origin, count }))
  }
}

function reserve(): FileRefusalReserve {
  const made = new FileRefusalReserve(dir)
  made.makeRoom()
  return made
}

const lost = (count: number, overrides: Partial<RefusalCount> = {}): RefusalCount => ({
  accountId: 'a',
  hour: 100,
  endpoint: 'form',
  check: 'storage',
  origin: '',
  count,
  ...overrides,
})
const counted = (totals: RefusalTotal[]) => totals.map(({ endpoint, count }) => [endpoint, count])

test('what a full log does not take is read all the same, also by another process', async () => {
  const log = new TestLog()
  const reserved = new ReservedRefusalLog(log, reserve())
  await reserved.add([lost(1)])
  log.isFull = true
  await expect(reserved.add([lost(50), lost(2, { endpoint: 'event' })])).rejects.toThrow('full')
  const elsewhere = new ReservedRefusalLog(log, new FileRefusalReserve(dir))
  expect(counted(await elsewhere.read('a', 0))).toEqual([
    ['form', 51],
    ['event', 2],
  ])
  expect(await elsewhere.read('b', 0)).toEqual(await log.read())
})

test('once the log takes it again it is counted there, and only there', async () => {
  const log = new TestLog()
  const reserved = new ReservedRefusalLog(log, reserve())
  log.isFull = true
  await expect(reserved.add([lost(50)])).rejects.toThrow('full')
  log.isFull = false
  await reserved.add([lost(50)])
  expect(counted(await reserved.read('a', 0))).toEqual([['form', 50]])
})

test('what a process that was killed had not written, the next one writes', async () => {
  const log = new TestLog()
  log.isFull = true
  await expect(new ReservedRefusalLog(log, reserve()).add([lost(50)])).rejects.toThrow('full')
  log.isFull = false
  const next = new ReservedRefusalLog(log, reserve())
  await next.add([lost(1)])
  await next.add([lost(1)])
  expect(log.written.map(({ count }) => count)).toEqual([50, 1, 1])
  expect(new FileRefusalReserve(dir).counts()).toEqual([])
})

test('counts before the instant asked for are not read', async () => {
  const log = new TestLog()
  log.isFull = true
  const reserved = new ReservedRefusalLog(log, reserve())
  await expect(reserved.add([lost(1, { hour: 99 }), lost(2)])).rejects.toThrow('full')
  expect(counted(await reserved.read('a', 100 * 60 * 60 * 1000))).toEqual([['form', 2]])
})

test('other refusals wait in memory, since they say nothing of the disk', async () => {
  const log = new TestLog()
  log.isFull = true
  const reserved = new ReservedRefusalLog(log, reserve())
  await expect(reserved.add([lost(1, { check: 'origin' })])).rejects.toThrow('full')
  expect(await reserved.read('a', 0)).toEqual([])
})

test('the file keeps its size, however much it holds, and the largest counts are in it', async () => {
  const store = reserve()
  const { size } = statSync(join(dir, 'not-stored.json'))
  const counts = Array.from({ length: 2000 }, (_, index) => lost(index + 1, { origin: `https://${index}.example` }))
  await store.replace(counts)
  expect(store.counts()[0]?.count).toBe(2000)
  expect(store.counts().length).toBeGreaterThan(100)
  await store.replace([lost(7)])
  expect(store.counts()).toEqual([lost(7)])
  expect(statSync(join(dir, 'not-stored.json')).size).toBe(size)
})

test('a file that was cut off holds nothing, and is made anew', async () => {
  const store = reserve()
  await store.replace([lost(7)])
  truncateSync(join(dir, 'not-stored.json'), 20)
  expect(store.counts()).toEqual([])
  await reserve().replace([lost(8)])
  expect(store.counts()).toEqual([lost(8)])
})

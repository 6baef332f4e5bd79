import { describe, expect, test } from 'bun:test'
import { budgetsPerTakeMax } from '../../../src/capture/budget-store.ts'
import { TokenBuckets } from '../../../src/storage/memory/token-buckets.ts'
import { HeldClock } from '../../contract/budget-store.ts'

const seed = 0x0123456789abcdefn
const one = (key: string) => [{ key, tokensMax: 1, windowSeconds: 60 }]
const megabyte = 2 ** 20
const idleBytesMax = 2 * megabyte
const fullBytesMax = 64 * megabyte

describe('a clock that jumps', () => {
  test('a step back neither refills nor freezes a bucket', async () => {
    const clock = new HeldClock(1_000_000)
    const buckets = new TokenBuckets(clock, seed)
    await buckets.take(one('a'))
    clock.advance(-900_000)
    expect(await buckets.take(one('a'))).toBe(60)
    clock.advance(60_000)
    expect(await buckets.take(one('a'))).toBe(0)
  })

  test('a step back before the start leaves a new key its budget', async () => {
    const clock = new HeldClock(1000)
    const buckets = new TokenBuckets(clock, seed)
    clock.advance(-5000)
    expect(await buckets.take(one('a'))).toBe(0)
  })
})

describe('many keys', () => {
  test('a hundred thousand callers at once are all remembered while the table grows under them', async () => {
    const buckets = new TokenBuckets(new HeldClock(), seed)
    for (let i = 0; i < 100_000; i++) await buckets.take(one(`key ${i}`))
    let forgotten = 0
    for (let i = 0; i < 100_000; i++) if ((await buckets.take(one(`key ${i}`))) === 0) forgotten++
    expect(forgotten).toBeLessThan(1000)
  })

  test('callers one after the other, each forgotten when full, never grow the table', async () => {
    const clock = new HeldClock()
    const buckets = new TokenBuckets(clock, seed)
    const bytesAtStart = buckets.table.bytesInUse
    for (let i = 0; i < 50_000; i++) {
      await buckets.take(one(`key ${i}`))
      clock.advance(100)
    }
    expect(buckets.table.bytesInUse).toBe(bytesAtStart)
  })

  test('an emptied bucket outlives thousands that are nearer to full', async () => {
    const buckets = new TokenBuckets(new HeldClock(), seed)
    const emptied = [{ key: 'emptied', tokensMax: 100, windowSeconds: 60 }]
    for (let i = 0; i < 100; i++) await buckets.take(emptied)
    for (let i = 0; i < 200_000; i++) await buckets.take([{ key: `new ${i}`, tokensMax: 100, windowSeconds: 60 }])
    expect(await buckets.take(emptied)).toBe(1)
  })

  test('what is reserved stays below 64 MB', () => {
    expect(new TokenBuckets(new HeldClock(), seed).table.bytesReserved).toBeLessThan(64 * megabyte)
  })

  test('a process that has counted a million clients has grown by less than 64 MB, and by little before', () => {
    // What else the runtime does at that moment makes a process larger, never smaller.
    let grown = measured()
    for (let tries = 1; tries < 3 && !(grown.idleBytes < idleBytesMax && grown.fullBytes < fullBytesMax); tries++)
      grown = measured()
    expect(grown.idleBytes).toBeLessThan(idleBytesMax)
    expect(grown.fullBytes).toBeWithin(24_000_000, fullBytesMax)
  })
})

describe('misuse', () => {
  test('more budgets than a request can have are a bug', async () => {
    const budgets = Array.from({ length: budgetsPerTakeMax + 1 }, (_, i) => one(`key ${i}`)).flat()
    await expect(new TokenBuckets(new HeldClock(), seed).take(budgets)).rejects.toThrow(RangeError)
  })
})

/** Growth of a process's resident memory, in bytes: with an unused store, and after a million keys. */
function measured(): { idleBytes: number; fullBytes: number } {
  const script = `
    import { TokenBuckets } from ${JSON.stringify(`${import.meta.dir}/../../../src/storage/memory/token-buckets.ts`)}
    const rss = () => { Bun.gc(true); return process.memoryUsage().rss }
    const clock = { now: () => 0, monotonicMs: () => 0 }
    const warm = async (buckets, count) => {
      for (let i = 0; i < count; i++) await buckets.take([{ key: 'form 0190a1b2 ' + i, tokensMax: 30, windowSeconds: 60 }])
    }
    await warm(new TokenBuckets(clock), 50_000)
    const before = rss()
    const buckets = new TokenBuckets(clock)
    const idleBytes = rss() - before
    await warm(buckets, 1_000_000)
    console.log(JSON.stringify({ idleBytes, fullBytes: rss() - before }))
    await buckets.take([])
  `
  const { stdout, stderr } = Bun.spawnSync([process.execPath, '-e', script])
  if (stdout.length === 0) throw new Error(stderr.toString())
  return JSON.parse(stdout.toString())
}

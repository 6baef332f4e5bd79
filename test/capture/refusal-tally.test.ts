import { describe, expect, test } from 'bun:test'
import type { RefusalCount } from '../../src/capture/refusal-log.ts'
import { RefusalTally } from '../../src/capture/refusal-tally.ts'

const hourMs = 60 * 60 * 1000

/** A tally on a log that keeps what it is given, and fails while `isFull`. */
class Tallied {
  isFull = false
  nowMs = 0
  readonly written: RefusalCount[] = []
  readonly tally = new RefusalTally(
    {
      add: async (counts) => {
        if (this.isFull) throw new Error('the disk is full')
        this.written.push(...counts)
      },
      read: async () => [],
    },
    { now: () => this.nowMs, monotonicMs: () => this.nowMs },
    'preview.acme.test',
  )

  refuse(accountId = 'a', origin: string | null = null): void {
    this.tally.add(accountId, { endpoint: 'form', check: 'origin', origin })
  }
}

describe('refusals', () => {
  test('of the same names are one count, and are written once', async () => {
    const box = new Tallied()
    for (let i = 0; i < 3; i++) box.refuse('a', 'https://one.test')
    await box.tally.flush()
    await box.tally.flush()
    expect(box.written).toEqual([
      { accountId: 'a', hour: 0, endpoint: 'form', check: 'origin', origin: 'https://one.test', count: 3 },
    ])
  })

  test('of more than fifty origins in an hour share the name *', async () => {
    const box = new Tallied()
    for (let i = 0; i < 60; i++) box.refuse('a', `https://${i}.test`)
    await box.tally.flush()
    expect(box.written).toHaveLength(51)
    expect(box.written.find(({ origin }) => origin === '*')?.count).toBe(10)
  })

  // The test page shows them to whoever opened it (docs/why-nothing-arrives.md).
  test('of the preview host are not counted, whatever its scheme and port', async () => {
    const box = new Tallied()
    for (const origin of ['https://preview.acme.test', 'http://preview.acme.test:8080']) box.refuse('a', origin)
    for (const origin of ['https://preview.acme.test.example', 'https://a.preview.acme.test']) box.refuse('a', origin)
    await box.tally.flush()
    expect(box.written.map(({ origin }) => origin)).toEqual([
      'https://preview.acme.test.example',
      'https://a.preview.acme.test',
    ])
  })

  test('that could not be written are added to what comes after', async () => {
    const box = new Tallied()
    box.isFull = true
    box.refuse()
    await box.tally.flush()
    box.isFull = false
    box.refuse()
    await box.tally.flush()
    expect(box.written.map(({ count }) => count)).toEqual([2])
  })

  test('are held up to a limit, however long the disk stays full', async () => {
    const box = new Tallied()
    box.isFull = true
    for (let hour = 0; hour < 4; hour++, box.nowMs += hourMs) {
      const flushing = box.tally.flush()
      for (let i = 0; i < 60_000; i++) box.refuse(`account ${i}`)
      await flushing
    }
    box.isFull = false
    await box.tally.flush()
    expect(box.written.length).toBeLessThanOrEqual(100_000)
  })
})

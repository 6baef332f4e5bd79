import { describe, expect, test } from 'bun:test'
import { type Asset, type AssetState, always, type LiveTimes } from '../../src/asset/asset.ts'
import { LivePages } from '../../src/asset/live-pages.ts'

const from = Date.parse('2026-12-01T07:00:00Z')
const until = Date.parse('2026-12-24T17:00:00Z')

function pageWith(times: LiveTimes, state: AssetState = 'live'): Asset {
  const content = { number: 1, sha256: '', byteCount: 1, variants: [] }
  return {
    id: 'page0000',
    kind: 'page',
    name: 'launch',
    current: { ...content, ...times, state, publishedAt: 0, publishedBy: 'apply' },
  }
}

const seenAt = (times: LiveTimes, now: number): boolean =>
  new LivePages(new Map([['launch', pageWith(times)]]), { now: () => now }).has('launch')

describe('visitors see a page', () => {
  test.each([
    ['from its time on, to the millisecond', { liveFrom: from, liveUntil: null }, from, [false, true]],
    ['until its time, to the millisecond', { liveFrom: null, liveUntil: until }, until, [true, false]],
    ['between both: from the first', { liveFrom: from, liveUntil: until }, from, [false, true]],
    ['between both: until the second', { liveFrom: from, liveUntil: until }, until, [true, false]],
  ])('%s', (_, times, at, seen) => {
    expect([seenAt(times, at - 1), seenAt(times, at)]).toEqual(seen)
  })

  test('again when the clock is put back, and then no more when it is put right', () => {
    let now = until
    const pages = new LivePages(new Map([['launch', pageWith({ liveFrom: null, liveUntil: until })]]), {
      now: () => now,
    })
    const seen = [0, -1000, 0].map((ms) => {
      now = until + ms
      return pages.has('launch')
    })
    expect(seen).toEqual([false, true, false])
  })

  test('without times without a look at the clock', () => {
    const clock = {
      now: (): number => {
        throw new Error('was asked')
      },
    }
    expect(new LivePages(new Map([['launch', pageWith(always)]]), clock).get('launch')?.name).toBe('launch')
  })
})

import { describe, expect, test } from 'bun:test'
import { type MissingCount, missingPathsPerDayMax } from '../../src/capture/missing-log.ts'
import { MissingTally } from '../../src/capture/missing-tally.ts'
import { LocalDays } from '../../src/lib/local-day.ts'
import { Verdicts } from '../../src/verdict/verdicts.ts'

const dayMs = 86_400_000
const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

/** A tally on a log that keeps what it is given, and fails while `isFull`. */
class Tallied {
  isFull = false
  nowMs = 0
  timezone = 'UTC'
  readonly written: MissingCount[] = []
  readonly tally = new MissingTally(
    {
      add: async (counts) => {
        if (this.isFull) throw new Error('the disk is full')
        this.written.push(...counts)
      },
      read: async () => [],
    },
    {
      clock: { now: () => this.nowMs, monotonicMs: () => this.nowMs },
      days: new LocalDays(),
      verdicts: new Verdicts(),
    },
  )

  ask(path: string, { userAgent = browser, account = 'a' }: { userAgent?: string; account?: string } = {}): void {
    const request = new Request(`https://go.acme.test${path}`, { headers: { 'user-agent': userAgent } })
    this.tally.add(request, { id: account, settings: { timezone: this.timezone } })
  }

  async counts(): Promise<[path: string, count: number][]> {
    await this.tally.flush()
    return this.written.map(({ path, count }) => [path, count])
  }
}

describe('missing addresses', () => {
  test('of one path and day are one count, and are written once', async () => {
    const box = new Tallied()
    for (const path of ['/old', '/old/', '/old?utm_source=mail', '/old#top']) box.ask(path)
    expect(await box.counts()).toEqual([['/old', 4]])
    expect(await box.counts()).toHaveLength(1)
  })

  test.each(['', 'Googlebot/2.1 (+http://www.google.com/bot.html)', 'curl/8.0'])(
    'asked for by %j are not counted',
    async (userAgent) => {
      const box = new Tallied()
      box.ask('/old', { userAgent })
      expect(await box.counts()).toEqual([])
    },
  )

  test.each([
    ['/hello/jane.doe@example.com', '/hello/-'],
    ['/hello/jane.doe%40example.com/x', '/hello/-/x'],
    ['/reset/4f9d0c7a1b2e3f4a5b6c7d8e9f0a1b2c3d4e', '/reset/-'],
    ['/call/+4915112345678', '/call/-'],
    ['/reset/8f3a9c0d1e2b4f5a', '/reset/-'],
    ['/00491512345678', '/-'],
    ['/old?email=jane@example.com', '/old'],
  ])('hold nothing personal: %s', async (path, kept) => {
    const box = new Tallied()
    box.ask(path)
    expect(await box.counts()).toEqual([[kept, 1]])
  })

  test.each([
    '/wp-login.php',
    '/.env',
    '/a/.git/config',
    '/xmlrpc.php',
    '/ads.txt',
    '/sitemap.xml',
    '/backup.sql',
    '/WP-admin/',
  ])('that scanners and crawlers try everywhere are not counted: %s', async (path) => {
    const box = new Tallied()
    box.ask(path)
    expect(await box.counts()).toEqual([])
  })

  test('of a site that moved here from a server of another kind are counted', async () => {
    const box = new Tallied()
    box.ask('/kontakt.php')
    expect(await box.counts()).toEqual([['/kontakt.php', 1]])
  })

  test('longer than 300 characters are not counted', async () => {
    const box = new Tallied()
    box.ask(`/${'a'.repeat(300)}`)
    box.ask(`/${'a'.repeat(299)}`)
    expect(await box.counts()).toHaveLength(1)
  })

  test('beyond two hundred a day are not counted, and those of other accounts and the next day are', async () => {
    const box = new Tallied()
    for (let i = 0; i < 250; i++) box.ask(`/a-${i}`)
    box.ask('/a-0')
    box.ask('/b', { account: 'b' })
    expect(await box.counts()).toHaveLength(missingPathsPerDayMax + 1)
    expect(box.written[0]).toEqual({ accountId: 'a', day: 0, path: '/a-0', count: 2 })
    box.nowMs = dayMs
    box.ask('/tomorrow')
    expect((await box.counts()).at(-1)).toEqual(['/tomorrow', 1])
  })

  test('belong to the day of the account’s time zone', async () => {
    const box = new Tallied()
    box.timezone = 'Asia/Tokyo'
    box.nowMs = dayMs - 3_600_000
    box.ask('/old')
    await box.tally.flush()
    expect(box.written.map(({ day }) => day)).toEqual([1])
  })

  test('that could not be written are added to what comes after', async () => {
    const box = new Tallied()
    box.isFull = true
    box.ask('/old')
    await box.tally.flush()
    box.isFull = false
    box.ask('/old')
    expect(await box.counts()).toEqual([['/old', 2]])
  })
})

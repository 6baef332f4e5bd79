import { describe, expect, test } from 'bun:test'
import type { RefusalCount, RefusalLog } from '../../src/capture/refusal-log.ts'

/** A new, empty log on a box with two accounts. */
export interface OpenedRefusalLog extends AsyncDisposable {
  log: RefusalLog
  /** The same log as another process sees it. */
  elsewhere(): RefusalLog
  accountIds: readonly [string, string]
}

const hourMs = 60 * 60 * 1000

/** What the port promises, for every implementation. */
export function refusalLogContract(name: string, open: () => Promise<OpenedRefusalLog>): void {
  const count = (accountId: string, overrides: Partial<RefusalCount> = {}): RefusalCount => ({
    accountId,
    hour: 100,
    endpoint: 'form',
    check: 'origin',
    origin: 'https://www.acme.test',
    count: 1,
    ...overrides,
  })

  describe(name, () => {
    test('counts are read as soon as they were added, everywhere', async () => {
      await using box = await open()
      const [accountId] = box.accountIds
      await box.log.add([count(accountId, { count: 3 })])
      expect(await box.elsewhere().read(accountId, 0)).toEqual([
        { endpoint: 'form', check: 'origin', origin: 'https://www.acme.test', count: 3 },
      ])
    })

    test('counts of the same names add up, within an hour and over several', async () => {
      await using box = await open()
      const [accountId] = box.accountIds
      await box.log.add([count(accountId), count(accountId, { count: 2 })])
      await box.log.add([count(accountId, { count: 4 }), count(accountId, { hour: 101, count: 8 })])
      expect((await box.log.read(accountId, 0)).map((total) => total.count)).toEqual([15])
    })

    test.each([
      ['endpoint', { endpoint: 'event' }],
      ['check', { check: 'honeypot' }],
      ['origin', { origin: '' }],
    ] as const)('counts of another %s are counted apart, the largest first', async (_what, other) => {
      await using box = await open()
      const [accountId] = box.accountIds
      await box.log.add([count(accountId), count(accountId, { ...other, count: 5 })])
      const read = await box.log.read(accountId, 0)
      expect(read.map((total) => total.count)).toEqual([5, 1])
      expect(read[0]).toMatchObject(other)
    })

    test('are read from the hour of an instant on', async () => {
      await using box = await open()
      const [accountId] = box.accountIds
      for (const hour of [99, 100, 101]) await box.log.add([count(accountId, { hour, count: hour })])
      const readFrom = async (since: number) => (await box.log.read(accountId, since)).map((total) => total.count)
      expect(await readFrom(100 * hourMs)).toEqual([201])
      expect(await readFrom(100 * hourMs + hourMs - 1)).toEqual([201])
      expect(await readFrom(101 * hourMs)).toEqual([101])
      expect(await readFrom(102 * hourMs)).toEqual([])
    })

    test('are forgotten when those of ninety days later are added, of their own account alone', async () => {
      await using box = await open()
      const [ours, theirs] = box.accountIds
      const later = 100 + 90 * 24
      await box.log.add([count(ours, { count: 1 }), count(ours, { hour: 101, count: 2 }), count(theirs)])
      await box.log.add([count(ours, { hour: later, count: 4 })])
      expect((await box.log.read(ours, 0)).map((total) => total.count)).toEqual([7])
      await box.log.add([count(ours, { hour: later + 1, count: 8 })])
      expect((await box.log.read(ours, 0)).map((total) => total.count)).toEqual([14])
      expect(await box.log.read(theirs, 0)).toHaveLength(1)
    })

    test('of one account are no other’s', async () => {
      await using box = await open()
      const [ours, theirs] = box.accountIds
      await box.log.add([count(ours), count(theirs, { count: 7 })])
      expect((await box.log.read(ours, 0)).map((total) => total.count)).toEqual([1])
    })

    test('of an account that is not there are dropped, and those beside them kept', async () => {
      await using box = await open()
      const [accountId] = box.accountIds
      await box.log.add([count('nobody'), count(accountId)])
      expect(await box.log.read('nobody', 0)).toEqual([])
      expect(await box.log.read(accountId, 0)).toHaveLength(1)
    })

    test('none may be added', async () => {
      await using box = await open()
      await box.log.add([])
      expect(await box.log.read(box.accountIds[0], 0)).toEqual([])
    })
  })
}

import { describe, expect, test } from 'bun:test'
import { array, assert, asyncProperty, boolean, nat, record } from 'fast-check'
import { emptyBatch, type WriteBatch } from '../../src/capture/write-batch.ts'
import { batchesFormat, ClusterCommitter, decodeBatches } from '../../src/cluster/cluster-committer.ts'
import { type ClusterLog, ClusterLogAway } from '../../src/cluster/cluster-log.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { MemoryClusterLog } from '../harness/memory-cluster-log.ts'

/** A log whose `put` waits until a test lets it go on. */
function heldLog() {
  const memory = new MemoryClusterLog(() => 0)
  const waiting: { release: () => void; fail: (error: Error) => void }[] = []
  const put: ClusterLog['put'] = async (batch, spends) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    waiting.push({ release: resolve, fail: reject })
    await promise
    return memory.put(batch, spends)
  }
  return { log: Object.assign(Object.create(memory), { put }) as ClusterLog, memory, waiting }
}

const committerTo = (log: ClusterLog, knowsAccount: (id: string) => boolean = () => true) =>
  new ClusterCommitter({ log, node: 'a', clock: systemClock, knowsAccount })

const lineOf = (account: string, text: string): string => `${account}\t1\tid\t1\t{"text":"${text}"}`
const batchOf = (...lines: string[]): WriteBatch => ({ ...emptyBatch, entries: lines.join('\n') })
const spendOf = (challenge: string, accountId = 'here') => ({ accountId, challenge, expiresAt: 1 })

const batchesIn = async (log: ClusterLog): Promise<WriteBatch[][]> =>
  (await log.take([])).map(({ body }) => decodeBatches(body))

describe('a committer to a cluster’s log', () => {
  test('leaves a batch as it was given, with its node, format and number of entries', async () => {
    const log = new MemoryClusterLog(() => 0)
    const refusal = { accountId: 'here', hour: 1, endpoint: 'form', check: 'origin', origin: '', count: 2 } as const
    const batch = {
      ...batchOf(lineOf('here', 'a \\u0000 é'), lineOf('here', 'b')),
      refusals: [refusal],
      looseFiles: ['f'],
    }
    expect(await committerTo(log).commit(batch)).toEqual({ homeless: [], spent: [] })
    expect(await batchesIn(log)).toEqual([[batch]])
    expect(await log.take([])).toMatchObject([{ node: 'a', format: batchesFormat, entries: 2 }])
  })

  test('has two rounds under way and puts what comes meanwhile into the next one', async () => {
    const { log, memory, waiting } = heldLog()
    const committer = committerTo(log)
    const commits = ['a', 'b', 'c', 'd', 'e'].map((text) => committer.commit(batchOf(lineOf('here', text))))
    expect(waiting).toHaveLength(2)
    waiting[0]?.release()
    await commits[0]
    await Promise.resolve()
    waiting[1]?.release()
    await commits[1]
    waiting[2]?.release()
    await Promise.all(commits)
    expect((await batchesIn(memory)).map((batches) => batches.length)).toEqual([1, 1, 3])
  })

  test('divides what waits where it is too much for one row', async () => {
    const { log, memory, waiting } = heldLog()
    const committer = committerTo(log)
    const large = batchOf(lineOf('here', 'x'.repeat(200_000)))
    const commits = Array.from({ length: 5 }, () => committer.commit(large))
    for (let at = 0; at < 5; at++) {
      waiting[at]?.release()
      await commits[at]
    }
    expect((await batchesIn(memory)).map((batches) => batches.length)).toEqual([1, 1, 1, 1, 1])
  })

  test('a round without an answer rejects its batches, and those behind it', async () => {
    const { log, waiting } = heldLog()
    const committer = committerTo(log)
    const commits = ['a', 'b', 'c'].map((text) => committer.commit(batchOf(lineOf('here', text))))
    const outcomes = Promise.allSettled(commits)
    waiting[0]?.fail(new ClusterLogAway('PostgreSQL does not answer'))
    waiting[1]?.release()
    const [first, second, third] = await outcomes
    expect(first).toMatchObject({ status: 'rejected', reason: expect.any(ClusterLogAway) })
    expect(second).toMatchObject({ status: 'fulfilled' })
    expect(third).toMatchObject({ status: 'rejected', reason: expect.any(ClusterLogAway) })
  })

  test('goes on after a failure, and closes once everything is stored', async () => {
    const { log, memory, waiting } = heldLog()
    const committer = committerTo(log)
    const lost = committer.commit(batchOf(lineOf('here', 'lost')))
    waiting[0]?.fail(new ClusterLogAway('away'))
    await expect(lost).rejects.toBeInstanceOf(ClusterLogAway)
    void committer.commit(batchOf(lineOf('here', 'kept')))
    const closed = committer.close()
    waiting[1]?.release()
    await closed
    expect(await batchesIn(memory)).toHaveLength(1)
  })

  test('whatever goes together, each batch hears of its own entries and challenges', async () => {
    const element = record({ isHere: boolean(), challenge: nat(3) })
    await assert(
      asyncProperty(array(array(element, { maxLength: 4 }), { minLength: 1, maxLength: 12 }), async (given) => {
        const log = new MemoryClusterLog(() => 0)
        const committer = committerTo(log, (id) => id === 'here')
        const accountOf = ({ isHere }: { isHere: boolean }): string => (isHere ? 'here' : 'removed')
        const batches = given.map((elements) => ({
          ...batchOf(...elements.map((of) => lineOf(accountOf(of), `${of.challenge}`))),
          spends: elements.map((of) => spendOf(`${of.challenge}`, accountOf(of))),
        }))
        const committed = await Promise.all(batches.map((batch) => committer.commit(batch)))
        const spent = new Set<number>()
        for (const [at, elements] of given.entries()) {
          expect(committed[at]?.homeless).toEqual(
            elements.flatMap(({ isHere }, position) => (isHere ? [] : [position])),
          )
          expect(committed[at]?.spent).toEqual(
            elements.map(({ isHere, challenge }) => isHere && !spent.has(challenge) && spent.add(challenge) !== null),
          )
        }
        const stored = (await batchesIn(log))
          .flat()
          .flatMap(({ entries }) => (entries === '' ? [] : entries.split('\n')))
        expect(stored).toHaveLength(given.flat().filter(({ isHere }) => isHere).length)
      }),
    )
  })
})

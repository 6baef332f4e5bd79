import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { array, assert, asyncProperty, constantFrom } from 'fast-check'
import { emptyBatch, type WriteBatch } from '../../src/capture/write-batch.ts'
import { batchOf, ClusterCommitter, decodeBatches } from '../../src/cluster/cluster-committer.ts'
import { type ClusterLog, ClusterLogAway } from '../../src/cluster/cluster-log.ts'
import { ClusterSeal } from '../../src/cluster/cluster-seal.ts'
import { Keeping } from '../../src/cluster/keeping.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { SpoolFolder, spooledIn } from '../../src/storage/spool/spool-folder.ts'
import { eventually } from '../harness/eventually.ts'
import { MemoryClusterLog } from '../harness/memory-cluster-log.ts'

// What a node does with captures while the log of its cluster is away (docs/cluster.md).

const seal = new ClusterSeal(Buffer.alloc(32, 7))
const quiet = { info: () => {}, warn: () => {}, error: () => {} }

let dataDir = ''
let log: MemoryClusterLog
/** What the log does with the next batches: nothing, or it stores them and the answer is lost. */
let fault: 'none' | 'away' | 'unheard' = 'none'
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'capture-keeping-'))
  log = new MemoryClusterLog(() => 0)
  fault = 'none'
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

async function faulty<T>(work: () => Promise<T>): Promise<T> {
  if (fault === 'away') throw new ClusterLogAway('away')
  const answer = await work()
  if (fault === 'unheard') throw new ClusterLogAway('unheard')
  return answer
}

const faultyLog = (): ClusterLog =>
  Object.assign(Object.create(log) as ClusterLog, {
    put: (...given: Parameters<ClusterLog['put']>) => faulty(() => log.put(given[0], given[1])),
    putKept: (...given: Parameters<ClusterLog['putKept']>) => faulty(() => log.putKept(...given)),
  })

/** A process of the node. */
async function startNode({ keepsNew = true, bytesMax = 2 ** 30 } = {}) {
  const options = { log: faultyLog(), clock: systemClock }
  const spool = new SpoolFolder({ dataDir, seal, onDamage: () => {}, bytesMax })
  const batch = (round: Parameters<typeof batchOf>[0]) => batchOf(round, 'a')
  const keeping = await Keeping.open({ ...options, spool, keepsNew, batchOf: batch, notices: quiet })
  const committer = new ClusterCommitter({ ...options, node: 'a', knowsAccount: () => true, keeping })
  return {
    keeping,
    commit: (text: string, challenge: string | null = null) => committer.commit(batchWith(text, challenge)),
    probe: () => committer.commit(emptyBatch),
    async [Symbol.asyncDispose]() {
      await committer.close()
      await keeping.stop()
    },
  }
}

const batchWith = (text: string, challenge: string | null): WriteBatch => ({
  ...emptyBatch,
  entries: `account\t1\tid\t1\t${text}`,
  spends: challenge === null ? [] : [{ accountId: 'account', challenge, expiresAt: Date.now() + 60_000 }],
})

const stored = async (): Promise<string[]> =>
  (await log.take([]))
    .flatMap(({ body }) => decodeBatches(body))
    .flatMap(({ entries }) => entries.split('\n'))
    .flatMap((line) => line.split('\t')[4] ?? [])

const isEmpty = async (): Promise<boolean> => spooledIn(dataDir).waiting === 0

describe('while the log of its cluster is away, a node', () => {
  test('refuses what it has sent, and keeps what comes after it', async () => {
    await using node = await startNode()
    fault = 'away'
    await expect(node.commit('sent')).rejects.toBeInstanceOf(ClusterLogAway)
    expect(await node.commit('kept')).toEqual({ homeless: [], spent: [] })
    fault = 'none'
    await eventually('the spool is empty', isEmpty)
    await node.commit('after')
    expect(await stored()).toEqual(['kept', 'after'])
  })

  test('keeps nothing where it is told to refuse, but gives out what it kept before', async () => {
    fault = 'away'
    {
      await using node = await startNode()
      await node.commit('sent').catch(() => {})
      await node.commit('kept')
    }
    await using strict = await startNode({ keepsNew: false })
    await expect(strict.commit('refused')).rejects.toBeInstanceOf(ClusterLogAway)
    await expect(strict.commit('refused')).rejects.toBeInstanceOf(ClusterLogAway)
    fault = 'none'
    await eventually('the spool is empty', isEmpty)
    expect(await stored()).toEqual(['kept'])
  })

  test('says that it can store as long as it can keep', async () => {
    await using node = await startNode({ bytesMax: 8192 })
    fault = 'away'
    expect(await node.probe()).toEqual({ homeless: [], spent: [] })
    const large = crypto.getRandomValues(Buffer.alloc(3000)).toString('hex')
    await node.commit(large)
    await node.commit(large)
    await expect(node.probe()).rejects.toThrow('all that it may')
    await expect(node.commit(large)).rejects.toThrow('all that it may')
  })

  test('asks the log again where nothing can be kept, as on a full disk', async () => {
    await using node = await startNode({ bytesMax: 0 })
    fault = 'away'
    await expect(node.commit('sent')).rejects.toBeInstanceOf(ClusterLogAway)
    await expect(node.commit('no room')).rejects.toThrow('all that it may')
    await expect(node.probe()).rejects.toThrow('all that it may')
    fault = 'none'
    await node.probe()
    await node.commit('after')
    expect(await stored()).toEqual(['after'])
  })

  test('lets no challenge be spent that was spent here before, in the log or in the spool', async () => {
    {
      await using node = await startNode()
      expect((await node.commit('before', 'x')).spent).toEqual([true])
      fault = 'away'
      await node.commit('sent').catch(() => {})
      expect((await node.commit('again', 'x')).spent).toEqual([false])
      expect((await node.commit('new', 'y')).spent).toEqual([true])
    }
    await using restarted = await startNode()
    expect((await restarted.commit('once more', 'y')).spent).toEqual([false])
    fault = 'none'
    await eventually('the spool is empty', isEmpty)
    expect((await restarted.commit('with the log', 'y')).spent).toEqual([false])
  })

  test('has each capture stored once that it acknowledged, whatever answers are lost and whenever it restarts', async () => {
    const steps = array(constantFrom('none', 'away', 'unheard', 'restart', 'commit', 'commit'), { maxLength: 14 })
    await assert(
      asyncProperty(steps, async (given) => {
        log = new MemoryClusterLog(() => 0)
        fault = 'none'
        const acknowledged: string[] = []
        const refused = new Set<string>()
        let node = await startNode()
        for (const [at, step] of given.entries()) {
          if (step === 'restart') {
            await node[Symbol.asyncDispose]()
            node = await startNode()
          } else if (step === 'commit') {
            await node.commit(`${at}`).then(
              () => acknowledged.push(`${at}`),
              () => refused.add(`${at}`),
            )
          } else fault = step
        }
        fault = 'none'
        await eventually('the spool is empty', isEmpty)
        await node[Symbol.asyncDispose]()
        const texts = await stored()
        expect(texts.filter((text) => !refused.has(text)).sort()).toEqual(acknowledged.sort())
      }),
      { numRuns: 15 },
    )
  })
})

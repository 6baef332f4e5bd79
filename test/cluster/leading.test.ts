import { expect, test } from 'bun:test'
import { emptyBatch } from '../../src/capture/write-batch.ts'
import { batchesFormat } from '../../src/cluster/cluster-committer.ts'
import { Leading, NotLeading } from '../../src/cluster/leading.ts'
import { newId } from '../../src/lib/id.ts'
import { MemoryClusterLog } from '../harness/memory-cluster-log.ts'
import { MemoryReplica } from '../harness/memory-replica.ts'

/** A leader whose intake holds batches of so many entries. */
async function aLeader(...batches: number[]) {
  const clock = { now: () => 0, monotonicMs: () => 0 }
  const log = new MemoryClusterLog(clock.monotonicMs)
  const candidate = { node: 'a', run: newId(), address: '', certificate: '' }
  const lease = await log.lease(candidate)
  const replica = new MemoryReplica()
  replica.found('box')
  const fence = { hasPassed: false }
  const leading = new Leading({
    ...{ log, replica, clock, run: candidate.run, term: lease?.term ?? 0, version: '1.2.3' },
    leads: () => !fence.hasPassed,
    bases: () => null,
  })
  await leading.begin()
  for (const entries of batches) {
    const lines = Array.from({ length: entries }, (_, at) => `account\t${at}`)
    const body = Bun.zstdCompressSync(JSON.stringify([{ ...emptyBatch, entries: lines.join('\n') }]))
    await log.put({ id: newId(), node: 'b', format: batchesFormat, entries, body: new Uint8Array(body) }, [])
  }
  return { leading, replica, fence }
}

test('a leader that has much to commit lets its lease be renewed meanwhile, and stops once it has lost it', async () => {
  const { leading, replica, fence } = await aLeader(1500, 1500, 1500)
  setImmediate(() => {
    fence.hasPassed = true
  })
  await expect(leading.turn()).rejects.toThrow(NotLeading)
  expect(replica.lines).toHaveLength(3000)
})

test('a leader leaves batches in the intake while it cannot link those that it has', async () => {
  const { leading, replica } = await aLeader(1)
  const many = Array.from({ length: 20_000 }, newId)
  replica.takenIds = () => many
  await leading.turn()
  expect(replica.lines).toEqual([])
  replica.takenIds = () => many.slice(1)
  await leading.turn()
  expect(replica.lines).toEqual(['account\t0'])
})

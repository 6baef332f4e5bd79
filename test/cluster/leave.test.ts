import { expect, test } from 'bun:test'
import { emptyBatch } from '../../src/capture/write-batch.ts'
import { ClusterCommitter } from '../../src/cluster/cluster-committer.ts'
import { type Link, leaseMs } from '../../src/cluster/cluster-log.ts'
import { Leading } from '../../src/cluster/leading.ts'
import { newId } from '../../src/lib/id.ts'
import { type LeavePorts, leaveCluster } from '../../src/operations/cluster/leave.ts'
import { MemoryClusterLog } from '../harness/memory-cluster-log.ts'
import { MemoryReplica } from '../harness/memory-replica.ts'

/** The last node of a cluster, whose service is stopped, and what was captured since. */
async function theLastNode() {
  let passedMs = 0
  const clock = { now: Date.now, monotonicMs: () => performance.now() + passedMs }
  const log = new MemoryClusterLog(clock.monotonicMs)
  const candidate = { node: 'a', run: newId(), address: '', certificate: '' }
  const lease = await log.lease(candidate)
  const replica = new MemoryReplica()
  replica.found('box')
  const leading = new Leading({
    ...{ log, replica, clock, run: candidate.run, term: lease?.term ?? 0, version: '1.2.3' },
    leads: () => true,
    bases: () => null,
  })
  await leading.begin()
  replica.lines.push('account\tx')
  await leading.turn()
  passedMs += leaseMs + 1
  const committer = new ClusterCommitter({ log, node: 'a', clock, knowsAccount: () => true })
  await committer.commit({ ...emptyBatch, entries: 'account\ty' })
  const box = { isSingle: false }
  const ports: LeavePorts = {
    ...{ log, replica, clock, candidate: { ...candidate, run: newId() } },
    processing: { catchUp: async () => 0 },
    assets: { open: async () => null },
    referenced: () => [],
    keptBytes: () => 0,
    makeSingle: () => {
      box.isSingle = true
    },
  }
  return { log, replica, box, leave: () => leaveCluster(ports, false) }
}

test('the last node becomes a single box with everything, and nobody leads the cluster again', async () => {
  const { log, replica, box, leave } = await theLastNode()
  expect(await leave()).toMatchObject({ node: 'a', isSingleBox: true, link: 2 })
  expect([replica.lines, box.isSingle]).toEqual([['account\tx', 'account\ty'], true])
  expect(await log.lease(null)).toMatchObject({ node: 'a', hasEnded: true })
})

test('it does so when the database has lost the end of the chain, which the folder has', async () => {
  const { log, replica, box, leave } = await theLastNode()
  log.loseEnd()
  expect(await leave()).toMatchObject({ isSingleBox: true, link: 2 })
  expect([replica.lines, box.isSingle]).toEqual([['account\tx', 'account\ty'], true])
})

test('it does not when the chain went on without the folder', async () => {
  const { log, replica, box, leave } = await theLastNode()
  log.loseEnd()
  const other = { node: 'b', run: newId(), address: '', certificate: '' }
  const lease = await log.lease(other)
  const [first] = (await log.links(null)) as Link[]
  const link: Link = {
    ...{ number: 2, id: newId(), previous: first?.id ?? null, term: lease?.term ?? 0, schema: 1 },
    ...{ kind: 'term', taken: [], body: new Uint8Array() },
  }
  expect(await log.link(link, other.run)).toBe('stored')
  await log.release(other.run)
  await expect(leave()).rejects.toThrow('it has to join anew first')
  expect([replica.lines, box.isSingle]).toEqual([['account\tx'], false])
})

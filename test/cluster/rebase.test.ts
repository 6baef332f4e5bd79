import { afterEach, expect, test } from 'bun:test'
import { emptyBatch } from '../../src/capture/write-batch.ts'
import type { BaseUnderWay, LeadersBases, MadeBase } from '../../src/cluster/base-maker.ts'
import { ClusterCommitter } from '../../src/cluster/cluster-committer.ts'
import type { Link, LinkPlace } from '../../src/cluster/cluster-log.ts'
import { Following } from '../../src/cluster/following.ts'
import { Membership } from '../../src/cluster/membership.ts'
import { newId } from '../../src/lib/id.ts'
import { eventually } from '../harness/eventually.ts'
import { MemoryClusterLog } from '../harness/memory-cluster-log.ts'
import { MemoryReplica } from '../harness/memory-replica.ts'

const silent = { debug() {}, info() {}, warn() {}, error() {} }

const running: Membership[] = []
afterEach(async () => {
  await Promise.all(running.splice(0).map((membership) => membership.stop()))
})

/** Bases as the test makes them. */
class Bases implements LeadersBases {
  made: MadeBase | null = null
  readonly asked: BaseUnderWay[] = []
  announcements = 0

  announced(): void {
    this.announcements++
  }

  remake(): BaseUnderWay {
    const base: BaseUnderWay = { state: 'copying' }
    this.asked.push(base)
    return base
  }

  async stop(): Promise<void> {}
}

/** A leader that has linked a record `x`, and a follower that has it. */
async function aCluster() {
  let passedMs = 0
  const clock = { now: Date.now, monotonicMs: () => performance.now() + passedMs }
  const log = new MemoryClusterLog(clock.monotonicMs)
  const [replica, follower, bases] = [new MemoryReplica(), new MemoryReplica(), new Bases()]
  const candidate = { node: 'a', run: newId(), address: 'a:7443', certificate: '' }
  const membership = new Membership({
    ...{ log, replica, clock, candidate, mayLead: true, notices: silent, cluster: 'box', version: '1.2.3' },
    prepare: async () => {},
    beginBases: () => bases,
    onStanding: () => {},
  })
  running.push(membership)
  const committer = new ClusterCommitter({ log, node: 'b', clock, knowsAccount: () => true })
  const capture = (line: string) => committer.commit({ ...emptyBatch, entries: `account\t${line}` })
  const chain = async (): Promise<Link[]> => {
    const links = await log.links(null)
    return links === 'elsewhere' ? [] : links
  }
  await capture('x')
  await eventually('the record is linked', async () => (await log.take([])).length === 0)
  const place = replica.position()?.place as LinkPlace
  follower.copyOf(replica)
  const pass = (ms: number): void => {
    passedMs += ms
  }
  return { log, replica, follower, bases, capture, chain, place, pass }
}

test('what no link carries goes into the chain as a base, with the batches in it, and nothing is linked before', async () => {
  const { log, replica, bases, capture, chain, place, pass } = await aCluster()
  await capture('y')
  await eventually('the leader has it', async () => replica.lines.length === 2)
  replica.unlinkable = true
  await eventually('a base is asked for', async () => {
    pass(100)
    return bases.asked.length === 1
  })
  const [base] = bases.asked as [BaseUnderWay]
  await capture('z')
  expect([replica.lines.length, (await chain()).at(-1)]).toEqual([2, expect.objectContaining({ id: place.id })])
  base.state = 'putting'
  await eventually('what came meanwhile is taken', async () => replica.lines.length === 3)
  expect((await chain()).at(-1)?.id).toBe(place.id)
  expect(await log.take([])).toHaveLength(2)
  base.state = { note: { name: 'bases/x', place }, to: 2 }
  await eventually('the intake is empty', async () => {
    pass(100)
    return (await log.take([])).length === 0
  })
  const [rebase, rows] = (await chain()).slice(-2)
  expect([rebase?.kind, rebase?.taken.length, rows?.kind, rows?.taken.length]).toEqual(['rebase', 1, 'rows', 1])
  expect(bases.announcements).toBe(1)
  expect((await log.base())?.id).toBe(rebase?.id)
})

test('a base that has more than it was made for is made again', async () => {
  const { replica, bases, chain, place, pass } = await aCluster()
  replica.unlinkable = true
  const asked = (count: number) =>
    eventually(`${count} bases are asked for`, async () => {
      pass(100)
      return bases.asked.length === count
    })
  await asked(1)
  const [first] = bases.asked as [BaseUnderWay]
  first.state = { note: { name: 'bases/x', place }, to: 5 }
  await asked(2)
  expect((await chain()).at(-1)?.id).toBe(place.id)
})

test('a follower waits for the base, and a copy of the leader goes on behind it', async () => {
  const { log, replica, follower, bases, capture, place, pass } = await aCluster()
  replica.unlinkable = true
  await eventually('a base is asked for', async () => {
    pass(100)
    return bases.asked.length === 1
  })
  const joined = new MemoryReplica().copyOf(replica)
  const [base] = bases.asked as [BaseUnderWay]
  base.state = { note: { name: 'bases/x', place }, to: replica.lines.length }
  await capture('y')
  await eventually('the intake is empty', async () => {
    pass(100)
    return (await log.take([])).length === 0
  })
  expect(await new Following({ log, replica: follower, version: '1.2.3' }).toEnd()).toBe('rebased')
  expect(follower.lines).toEqual(['account\tx'])
  expect(await new Following({ log, replica: joined, version: '1.2.3' }).toEnd()).toBe('whole')
  expect(joined.lines).toEqual(['account\tx', 'account\ty'])
})

import { expect, test } from 'bun:test'
import { emptyBatch } from '../../src/capture/write-batch.ts'
import { ClusterCommitter } from '../../src/cluster/cluster-committer.ts'
import { type LeaseCandidate, type Link, leaseMs, type NodeNews } from '../../src/cluster/cluster-log.ts'
import { Leading } from '../../src/cluster/leading.ts'
import { newId } from '../../src/lib/id.ts'
import { type LeavePorts, leaveCluster } from '../../src/operations/cluster/leave.ts'
import { MemoryClusterLog } from '../harness/memory-cluster-log.ts'
import { MemoryReplica } from '../harness/memory-replica.ts'

const candidate = (node: string): LeaseCandidate => ({ node, run: newId(), address: '', certificate: '' })

/** The last node of a cluster, whose service is stopped, and what was captured since. */
async function theLastNode() {
  let passedMs = 0
  const clock = { now: Date.now, monotonicMs: () => performance.now() + passedMs }
  const log = new MemoryClusterLog(clock.monotonicMs)
  const founder = candidate('a')
  const lease = await log.lease(founder)
  const replica = new MemoryReplica()
  replica.found('box')
  const leading = new Leading({
    ...{ log, replica, clock, run: founder.run, term: lease?.term ?? 0, version: '1.2.3' },
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
    ...{ log, replica, clock, candidate: candidate('a') },
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
  const other = candidate('b')
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

const news = (name: string): NodeNews => ({
  ...{ name, address: `${name}:7443`, certificate: '', version: '1.2.3', schema: 7, applied: 1 },
  ...{ state: 'follows', mayLead: true },
})

/** What the node "a" is told, whose service has stopped, and that "b" said something a moment ago. */
async function leaves(leads: string | null, { isAlone = false, silentMs = 0, position = {} as object | null } = {}) {
  let [nowMs, waitedMs] = [0, 0]
  const log = new MemoryClusterLog(() => nowMs)
  for (const name of ['a', 'b']) await log.announce(news(name))
  nowMs += silentMs
  if (leads !== null) await log.lease(candidate(leads))
  const ports = {
    ...{ log, candidate: candidate('a'), keptBytes: () => 0, replica: { position: () => position } },
    clock: { now: () => nowMs, monotonicMs: () => (waitedMs += 5000) },
  } as unknown as LeavePorts
  const left = await leaveCluster(ports, isAlone)
  return { left, names: (await log.overview()).nodes.map(({ name }) => name) }
}

test('a node leaves others that go on', async () => {
  expect(await leaves('b')).toMatchObject({ left: { leader: 'b', isSingleBox: false }, names: ['b'] })
})

test.each([
  ['nobody else leads', null, {}, 'No other node leads the cluster at present'],
  ['its own lease has not run out', 'a', {}, 'No other node leads the cluster at present'],
  ['the others have just served', 'b', { isAlone: true }, '"b" served the cluster within the last 10 s'],
  ['it belongs to none', 'b', { position: null }, 'belongs to no cluster: it is a single box'],
  ['the others are silent', null, { silentMs: 11_000 }, 'Serve the cluster on one node'],
])('a node does not leave while %s', async (_, leads, given, why) => {
  await expect(leaves(leads, given)).rejects.toThrow(why)
})

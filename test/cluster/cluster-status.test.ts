import { expect, test } from 'bun:test'
import { ClusterLogAway } from '../../src/cluster/cluster-log.ts'
import { newId } from '../../src/lib/id.ts'
import { clusterStatus } from '../../src/operations/cluster/cluster-status.ts'
import { MemoryClusterLog } from '../harness/memory-cluster-log.ts'

const news = { certificate: 'pin', version: '1.2.3', schema: 7, mayLead: true, state: 'follows' } as const
const nothing = new Uint8Array()

test('says who leads, who lacks what, who is astray, and who is silent', async () => {
  let nowMs = Date.UTC(2026, 10, 24)
  const log = new MemoryClusterLog(() => nowMs)
  const lead = { node: 'a', run: newId(), address: 'a:7443', certificate: 'pin' }
  await log.announce({ ...news, name: 'c', address: 'c:7443', applied: 0 })
  nowMs += 11_000
  await log.lease(lead)
  for (const [at, previous] of [null, 'one'].entries()) {
    const link = { ...{ number: at + 1, id: ['one', 'two'][at] ?? '', previous, term: 1, schema: 7 }, taken: [] }
    expect(await log.link({ ...link, kind: 'rows', body: nothing }, lead.run)).toBe('stored')
  }
  await log.announce({ ...news, name: 'a', address: 'a:7443', applied: 2 })
  await log.announce({ ...news, name: 'b', address: 'b:7443', applied: 1 })
  await log.announce({ ...news, name: 'd', address: 'd:7443', applied: 1, state: 'astray' })
  expect(await clusterStatus(log)).toEqual({
    leader: 'a',
    nodes: [
      ...[
        { name: 'a', applied: 2, behind: 0, state: 'leads' as const, seenAt: '2026-11-24T00:00:11.000Z' },
        { name: 'b', applied: 1, behind: 1, state: 'follows' as const, seenAt: '2026-11-24T00:00:11.000Z' },
        { name: 'c', applied: 0, behind: 2, state: 'silent' as const, seenAt: '2026-11-24T00:00:00.000Z' },
        { name: 'd', applied: 1, behind: 1, state: 'astray' as const, seenAt: '2026-11-24T00:00:11.000Z' },
      ].map((node) => ({ ...node, address: `${node.name}:7443`, version: '1.2.3', schema: 7, skewSeconds: 0 })),
    ],
    database: 'ok',
    oldestUnsharedSeconds: 0,
  })
})

test('says of a database that does not answer that it is away, and knows no more', async () => {
  const away = async () => {
    throw new ClusterLogAway('away')
  }
  expect(await clusterStatus({ lease: away, overview: away })).toEqual({
    ...{ leader: null, nodes: [], database: 'away', oldestUnsharedSeconds: null },
  })
})

test('says of a cluster that has ended where its records are', async () => {
  const log = new MemoryClusterLog(() => 0)
  const lead = { node: 'a', run: newId(), address: 'a:7443', certificate: 'pin' }
  await log.lease(lead)
  await log.end(lead.run)
  await expect(clusterStatus(log)).rejects.toThrow('is over: its node "a" has become a single box')
})

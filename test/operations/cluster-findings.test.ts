import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { clusterFindings } from '../../src/operations/cluster/cluster-findings.ts'
import { awayStatus, type ClusterStatus, type NodeStatus } from '../../src/operations/cluster/cluster-status.ts'

const node = (name: string, changed: Partial<NodeStatus> = {}): NodeStatus => ({
  ...{ name, address: `${name}:7443`, version: '1.2.3', schema: 7, applied: 10, behind: 0 },
  ...{ seenAt: '2026-11-24T00:00:00.000Z', skewSeconds: 0, state: 'follows' },
  ...changed,
})

const cluster = (changed: Partial<ClusterStatus> = {}): ClusterStatus => ({
  ...{ leader: 'a', nodes: [node('a', { state: 'leads' }), node('b')], database: 'ok', oldestUnsharedSeconds: 0 },
  ...changed,
})

const found = (status: ClusterStatus): [status: string, about: string | undefined][] =>
  clusterFindings(status).map(({ status, about }) => [status, about])

test('finds nothing wrong with a cluster as it should be', () => {
  expect(found(cluster())).toEqual([])
})

test('says of a database that does not answer that alone: nothing else is known', () => {
  expect(found(awayStatus)).toEqual([['fault', 'database']])
})

test('tells a cluster without a leader from one that nobody has begun', () => {
  expect(found(cluster({ leader: null, nodes: [node('a'), node('b')] }))).toEqual([['fault', 'leader']])
  expect(found({ ...awayStatus, database: 'ok' })).toEqual([['warning', 'nodes']])
})

test('says what an operator has to do when nobody leads since the database has lost something', () => {
  const nodes = [node('a', { state: 'astray' }), node('b', { state: 'astray' })]
  const [fault] = clusterFindings(cluster({ leader: null, nodes }))
  expect(fault?.advice).toContain('docs/cluster.md says what to do ("If PostgreSQL loses something")')
  expect(readFileSync('docs/cluster.md', 'utf8')).toContain('\n## If PostgreSQL loses something\n')
})

test('says once of a silent node that it is, not what follows from it', () => {
  const nodes = [node('a', { state: 'leads' }), node('b', { state: 'silent', behind: 5000, skewSeconds: 90 })]
  expect(found(cluster({ nodes }))).toEqual([['warning', 'node b']])
})

test('says who is minutes behind, whose clock is off, and that a record waits', () => {
  const nodes = [
    node('a', { state: 'leads', skewSeconds: -1.5 }),
    node('b', { behind: 121 }),
    node('c', { skewSeconds: 40 }),
  ]
  expect(
    clusterFindings(cluster({ nodes, oldestUnsharedSeconds: 31 })).map(({ status, found }) => [status, found]),
  ).toEqual([
    ['warning', 'A captured record has waited for 31 s until the leader stores it.'],
    ['warning', 'The clock of node "a" is 1.5 s behind that of the database.'],
    ['warning', 'Node "b" is 121 links behind.'],
    ['fault', 'The clock of node "c" is 40.0 s ahead of that of the database. It says that it is not ready.'],
  ])
})

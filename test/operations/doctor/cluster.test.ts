import { expect, test } from 'bun:test'
import { examineCluster } from '../../../src/operations/doctor/cluster.ts'
import type { ClusterInspection, DatabaseTraits, Inspection } from '../../../src/operations/doctor/inspection.ts'

const now = Date.UTC(2026, 10, 24)
const sound: DatabaseTraits = {
  ...{ version: '16.4', fsync: true, synchronousCommit: 'on', standbys: 'ANY 1 (b)', autovacuum: true, deadRows: 0 },
}
const well: ClusterInspection = {
  connection: 'verified',
  storeUrl: 's3://bucket/prefix',
  status: async () => ({
    ...{ leader: 'a', database: 'ok', oldestUnsharedSeconds: 0 },
    nodes: ['a', 'b'].map((name) => ({
      ...{ name, address: `${name}:7443`, version: '1.2.3', schema: 7, applied: 3, behind: 0, skewSeconds: 0 },
      ...{ seenAt: new Date(now).toISOString(), state: name === 'a' ? 'leads' : 'follows' },
    })),
  }),
  unreached: async () => [],
  database: async () => sound,
  store: async () => ({ words: null, baseAt: now - 3_600_000 }),
  budgets: async () => null,
  spooled: () => ({ waiting: 0, damaged: [] }),
  storedContents: async () => new Set(),
}

/** What `doctor` says of a cluster that differs from a sound one. */
async function examined(changed: Partial<ClusterInspection> = {}) {
  const inspection = {
    ...{ cluster: { ...well, ...changed }, clock: { now: () => now } },
    openDatabase: () => ({ boxId: () => 'box', close() {} }),
  } as unknown as Inspection
  return (await examineCluster(inspection)).map(({ status, found, advice }) => ({ status, found, advice }))
}

const unwell = async (changed: Partial<ClusterInspection>) =>
  (await examined(changed)).filter(({ status, advice }) => status !== 'ok' || advice !== null).map(({ found }) => found)

test('a cluster as it should be passes, and says what it is', async () => {
  expect(await examined()).toEqual(
    [
      '"a" leads 2 nodes; all have every link.',
      'Its database is PostgreSQL 16.4, reached by TLS that verifies the server.',
      'The database waits for its standbys: synchronous_standby_names is ANY 1 (b).',
      'The store s3://bucket/prefix answers; its copy of the database is of 2026-11-23 23:00:00 UTC.',
    ].map((found) => ({ status: 'ok', found, advice: null })),
  )
})

test('a single box has nothing of it', async () => {
  expect(await examineCluster({ cluster: null } as unknown as Inspection)).toEqual([])
})

test.each<[name: string, changed: Partial<ClusterInspection>, found: RegExp]>([
  ['a connection that others can read', { connection: 'open' }, /without TLS/],
  ['a database that forgets', { database: async () => ({ ...sound, fsync: false }) }, /fsync is off/],
  [
    'one that acknowledges early',
    { database: async () => ({ ...sound, synchronousCommit: 'off' }) },
    /synchronous_commit is off/,
  ],
  [
    'one without a standby that it names',
    { database: async () => ({ ...sound, standbys: '' }) },
    /names no synchronous standby/,
  ],
  ['one that never clears up', { database: async () => ({ ...sound, autovacuum: false }) }, /autovacuum is off/],
  [
    'one that does not come to clear up',
    { database: async () => ({ ...sound, deadRows: 300_000 }) },
    /300,000 dead rows/,
  ],
  [
    'a closed port between nodes',
    { unreached: async () => [{ name: 'b', address: '10.0.0.2:7443' }] },
    /^Node "b" serves, and does not answer this machine at 10\.0\.0\.2:7443/,
  ],
  ['one that refuses', { status: async () => 'It refuses this node.' }, /It refuses this node\./],
  [
    'a store that is away',
    { store: async () => ({ words: 'cannot be reached', baseAt: null }) },
    /^The store .* cannot be reached\. Nothing/,
  ],
  [
    'a store with an old copy',
    { store: async () => ({ words: null, baseAt: now - 3 * 86_400_000 }) },
    /A newer one should be there/,
  ],
  ['a server of budgets that is away', { budgets: async () => 'no answer' }, /cannot be used \(no answer\): each node/],
  [
    'records that are on this node alone',
    { spooled: () => ({ waiting: 2048, damaged: [] }) },
    /keeps 2 KB of captured records/,
  ],
  [
    'a damaged spool',
    { spooled: () => ({ waiting: 0, damaged: ['/data/spool/1.damaged'] }) },
    /^\/data\/spool\/1\.damaged is damaged/,
  ],
])('finds %s', async (_, changed, found) => {
  expect(await unwell(changed)).toEqual([expect.stringMatching(found)])
})

test('warns of nodes at different versions, as while a cluster is upgraded', async () => {
  const status = await well.status('box')
  if (typeof status === 'string') throw new Error(status)
  const [a, b] = status.nodes as [(typeof status.nodes)[number], (typeof status.nodes)[number]]
  expect(
    await unwell({ status: async () => ({ ...status, nodes: [{ ...a, version: '1.3.0', schema: 8 }, b] }) }),
  ).toEqual(['The nodes have different versions: "a" 1.3.0, "b" 1.2.3.'])
})

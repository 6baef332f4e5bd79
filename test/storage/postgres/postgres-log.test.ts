import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, setSystemTime, test } from 'bun:test'
import { SQL } from 'bun'
import { array, assert, asyncProperty, constantFrom } from 'fast-check'
import { ClusterLogAway, type IntakeBatch } from '../../../src/cluster/cluster-log.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import { newId } from '../../../src/lib/id.ts'
import { PostgresLog } from '../../../src/storage/postgres/postgres-log.ts'
import { type Postgres, startPostgres } from '../../harness/postgres.ts'
import { startTcpProxy, type TcpProxy } from '../../harness/tcp-proxy.ts'
import { makeTlsAuthority } from '../../harness/tls-authority.ts'

/** Far beyond the product's patience: how fast a busy machine is decides nothing here. */
const withinMs = 60_000
const authority = makeTlsAuthority()

let postgres: Postgres
let proxy: TcpProxy
const opened: PostgresLog[] = []
beforeAll(async () => {
  postgres = await startPostgres({ tls: authority.issue('DNS:localhost') })
})
afterAll(() => postgres[Symbol.asyncDispose]())
beforeEach(() => {
  proxy = startTcpProxy(postgres.port)
})
afterEach(() => {
  for (const log of opened.splice(0)) log.close()
  proxy[Symbol.dispose]()
})

function logAt(url: string, ca: string | null = null, cluster: string = newId()): PostgresLog {
  const log = new PostgresLog({ url, ca, clock: systemClock, cluster })
  opened.push(log)
  return log
}

const batchOf = (id: string = newId()): IntakeBatch => ({
  ...{ id, node: 'a', format: 1, entries: 0 },
  body: new Uint8Array([1, 2, 3]),
})
const throughProxy = (): string => `postgres://capture@127.0.0.1:${proxy.port}/postgres`
const idsOf = (batches: IntakeBatch[]): string[] => batches.map(({ id }) => id)

describe('while PostgreSQL', () => {
  test('loses answers and connections, all that is acknowledged is there once', async () => {
    const cluster = newId()
    const direct = logAt(postgres.url, null, cluster)
    await direct.prepare()
    const faults = array(constantFrom('none', 'none', 'cut', 'swallow'), { minLength: 3, maxLength: 5 })
    const acknowledged: string[] = []
    await assert(
      asyncProperty(faults, async (given) => {
        const log = logAt(throughProxy(), null, cluster)
        for (const fault of given) {
          const batches = [batchOf(), batchOf()]
          proxy.swallows = fault === 'swallow'
          const stored = Promise.all(batches.map((batch) => log.put(batch, [], withinMs)))
          if (fault === 'cut') setImmediate(() => proxy.cut())
          // The first try is given up; the answer to the second arrives.
          if (fault === 'swallow') setTimeout(() => (proxy.swallows = false), 200)
          await stored
          acknowledged.push(...idsOf(batches))
        }
        log.close()
      }),
      { numRuns: 3 },
    )
    expect(idsOf(await direct.take([])).toSorted()).toEqual(acknowledged.toSorted())
  })

  test('crashes and comes back within the patience, nothing is refused', async () => {
    const log = logAt(postgres.url)
    await log.prepare()
    const before = batchOf()
    await log.put(before, [], withinMs)
    await postgres.crash()
    const after = batchOf()
    const stored = log.put(after, [], 60_000)
    await postgres.start()
    await stored
    expect(idsOf(await log.take([]))).toEqual([before.id, after.id])
  })

  test('stands still, whoever waits is answered in time, and the log goes on afterwards', async () => {
    const log = logAt(postgres.url)
    await log.prepare()
    const batch = batchOf()
    {
      using _ = postgres.frozen()
      const beganMs = performance.now()
      await expect(log.put(batch, [], 2000)).rejects.toBeInstanceOf(ClusterLogAway)
      expect(performance.now() - beganMs).toBeGreaterThanOrEqual(1990)
    }
    await log.put(batch, [], 60_000)
    expect(idsOf(await log.take([]))).toEqual([batch.id])
  })

  test('answers nobody, it is away', async () => {
    const log = logAt('postgres://capture@127.0.0.1:9/postgres')
    await expect(log.put(batchOf(), [], 300)).rejects.toBeInstanceOf(ClusterLogAway)
  })

  test('refuses what is asked, that is said at once and with its reason', async () => {
    const log = logAt(`postgres://capture@127.0.0.1:${postgres.port}/nowhere`)
    await expect(log.prepare()).rejects.toThrow('refuses this node ([cluster] url): database "nowhere"')
  })
})

test('a node whose clock is wrong leads for as long as any other', async () => {
  const log = logAt(postgres.url)
  await log.prepare()
  try {
    setSystemTime(Date.now() + 3_600_000)
    const candidate = { node: 'a', run: newId(), address: 'a:7443', certificate: 'pin' }
    const lease = await log.lease(candidate)
    expect(lease).toMatchObject(candidate)
    setSystemTime(Date.now() - 7_200_000)
    expect(await log.lease({ ...candidate, run: newId() })).toMatchObject(candidate)
    expect(lease?.leftMs).toBeLessThanOrEqual(8000)
  } finally {
    setSystemTime()
  }
})

test('a lease that the clock of the database puts far ahead, as after a failover, is had by whoever asks', async () => {
  const cluster = newId()
  const log = logAt(postgres.url, null, cluster)
  await log.prepare()
  const candidate = (node: string) => ({ node, run: newId(), address: `${node}:7443`, certificate: 'pin' })
  await log.lease(candidate('a'))
  await using sql = new SQL(postgres.url, { max: 1 })
  await sql`UPDATE lease SET until = until + interval '1 hour' WHERE cluster = ${cluster}`
  expect((await log.lease(candidate('b')))?.node).toBe('b')
})

describe('TLS', () => {
  const at = (host: string, query = ''): string => `postgres://capture@${host}:${postgres.port}/postgres${query}`
  const encrypted = async (log: PostgresLog): Promise<boolean> => {
    await log.prepare()
    await using sql = new SQL(postgres.url, { max: 1 })
    const rows = await sql`SELECT 1 FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
      WHERE ssl AND query LIKE '%GENERATED ALWAYS AS IDENTITY%' AND query NOT LIKE '%pg_stat_ssl%'`
    return rows.length > 0
  }

  test('with a certificate of the given authority connects, encrypted', async () => {
    expect(await encrypted(logAt(at('localhost', '?sslmode=verify-full'), authority.root))).toBe(true)
  })

  test.each([
    ['of another authority', 'localhost', 'verify-full', makeTlsAuthority().root],
    ['of no authority that is trusted here', 'localhost', 'verify-full', null],
    ['for another name', '127.0.0.1', 'verify-full', authority.root],
    ['for another name, though the URL would accept it', '127.0.0.1', 'require', authority.root],
  ])('with a certificate %s does not connect', async (_, host, mode, ca) => {
    const log = logAt(at(host, `?sslmode=${mode}`), ca)
    await expect(log.put(batchOf(), [], 500)).rejects.toBeInstanceOf(ClusterLogAway)
  })

  test('is not used to a server on this machine that was not asked for it', async () => {
    const log = logAt(at('localhost'))
    await log.prepare()
    expect(await log.take([])).toEqual([])
  })
})

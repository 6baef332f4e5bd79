import { afterAll, beforeAll, expect, test } from 'bun:test'
import { SQL } from 'bun'
import { leaseMs } from '../../src/cluster/cluster-log.ts'
import { SealedLog } from '../../src/cluster/sealed-log.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { newId } from '../../src/lib/id.ts'
import { newSecret } from '../../src/lib/sign.ts'
import { claimDatabase, PostgresLog } from '../../src/storage/postgres/postgres-log.ts'
import { MemoryClusterLog } from '../harness/memory-cluster-log.ts'
import { type Postgres, startPostgres } from '../harness/postgres.ts'
import { clusterLogContract } from './cluster-log.ts'

let postgres: Postgres
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres[Symbol.asyncDispose]())

function inMemory() {
  let nowMs = 0
  const log = new MemoryClusterLog(() => nowMs)
  const expireLease = async (): Promise<void> => {
    nowMs += leaseMs + 1
  }
  return { log, other: log, expireLease, [Symbol.asyncDispose]: async () => {} }
}

clusterLogContract('log in memory, for tests', async () => inMemory())

clusterLogContract('sealed log', async () => {
  const { log, ...others } = inMemory()
  const secret = newSecret()
  return { ...others, log: new SealedLog(log, secret), other: new SealedLog(log, secret) }
})

clusterLogContract('log in PostgreSQL', async () => {
  const cluster = newId()
  const options = { url: postgres.url, ca: null, clock: systemClock, cluster }
  const [log, other] = [new PostgresLog(options), new PostgresLog(options)]
  // Both at once: the nodes of a new cluster start together.
  await Promise.all([log.prepare(), other.prepare()])
  const sql = new SQL(postgres.url, { max: 1 })
  return {
    ...{ log, other },
    expireLease: async () =>
      void (await sql`
        UPDATE lease SET until = until - ${leaseMs + 1}::float8 * interval '1 ms' WHERE cluster = ${cluster}`),
    async [Symbol.asyncDispose]() {
      for (const opened of [log, other]) opened.close()
      await sql.close()
    },
  }
})

test('a database is one cluster’s, however many begin in it at once', async () => {
  const url = await postgres.newDatabase()
  const claims = ['a', 'b', 'c', 'd'].map((name) => claimDatabase({ url, ca: null, clock: systemClock }, name))
  const holders = new Set(await Promise.all(claims))
  expect(holders.size).toBe(1)
  const [holder = ''] = holders
  expect(await claimDatabase({ url, ca: null, clock: systemClock }, holder)).toBe(holder)
})

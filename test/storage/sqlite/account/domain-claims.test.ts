import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { domainReservedMs, isUnder, reservedPerAccountMax } from '../../../../src/account/domain-claims.ts'
import { SqliteAccountStore } from '../../../../src/storage/sqlite/account/account-store.ts'
import { SqliteDomainClaims } from '../../../../src/storage/sqlite/account/domain-claims.ts'
import { type Connection, openConnection } from '../../../../src/storage/sqlite/database/connection.ts'
import { migrateDatabase } from '../../../../src/storage/sqlite/database/migrations.ts'
import { SqliteSiteStore } from '../../../../src/storage/sqlite/site/site-store.ts'
import { account } from '../../../cli/sample-account.ts'
import { HeldClock } from '../../../contract/budget-store.ts'
import { publication } from '../../../contract/opened-accounts.ts'

let dir: string
let connection: Connection
let clock: HeldClock
let claims: SqliteDomainClaims
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'capture-claims-'))
  connection = openConnection(join(dir, 'capture.db'))
  migrateDatabase({ connection, snapshotDir: dir, now: 0, assertAlone: () => {} })
  clock = new HeldClock(5000)
  claims = new SqliteDomainClaims(connection, clock)
})
afterEach(() => {
  connection.raw.close()
  rmSync(dir, { recursive: true })
})

/** Publishes the account with these domains; answers its id. */
async function connect(handle: string, ...domains: string[]): Promise<string> {
  const settings = { ...account().settings, domains }
  await new SqliteSiteStore(connection, dir).publish(
    { ...publication(handle), settings, publishedAt: clock.now() },
    () => {},
  )
  return (await new SqliteAccountStore(connection, clock).find(handle))?.id ?? 'not published'
}

test('a dropped name is reserved for thirty days to the millisecond', async () => {
  await connect('acme', 'a.test', 'b.test')
  const accountId = await connect('acme', 'a.test')
  expect(await claims.listReserved()).toEqual([{ host: 'b.test', accountId, handle: 'acme', droppedAt: 5000 }])
  clock.advance(domainReservedMs - 1)
  expect(await claims.reserved('b.test')).not.toBeNull()
  clock.advance(1)
  expect(await claims.reserved('b.test')).toBeNull()
})

test('a name that is connected again is reserved no longer', async () => {
  await connect('acme', 'a.test', 'b.test')
  await connect('acme', 'a.test')
  await connect('bold', 'b.test')
  expect(await claims.reserved('b.test')).toBeNull()
})

test('a removed account leaves its names reserved under its handle', async () => {
  const accountId = await connect('acme', 'a.test')
  await new SqliteAccountStore(connection, clock).remove(accountId)
  expect(await claims.reserved('a.test')).toEqual({ host: 'a.test', accountId, handle: 'acme', droppedAt: 5000 })
})

test('an account that drops more names than are reserved frees the oldest', async () => {
  const oldest = 'oldest.test'
  await connect('acme', 'a.test', oldest)
  await connect('acme', 'a.test')
  clock.advance(1)
  const many = Array.from({ length: reservedPerAccountMax }, (_, at) => `n${at}.test`)
  await connect('acme', 'a.test', ...many)
  await connect('acme', 'a.test')
  const reserved = (await claims.listReserved()).map(({ host }) => host)
  expect([reserved.length, reserved.includes(oldest)]).toEqual([reservedPerAccountMax, false])
})

test.each([
  ['shop.agency.dev', 'agency.dev', true],
  ['agency.dev', 'agency.dev', true],
  ['notagency.dev', 'agency.dev', false],
  ['127.0.0.1', '127.0.0.1', true],
  ['127.0.0.1', '0.0.1', false],
])('whether %s is below %s: %p', (host, suffix, expected) => {
  expect(isUnder(host, suffix)).toBe(expected)
})

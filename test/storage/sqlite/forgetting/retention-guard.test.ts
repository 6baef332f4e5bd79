// The clock may jump while a service runs, and come back: retention waits, tells it once, and goes on by itself.
import { expect, test } from 'bun:test'
import { OperatorsGuard } from '../../../../src/processing/forgetting/retention-guard.ts'
import type { RetentionNotice } from '../../../../src/processing/retention.ts'
import { SqliteRetentionStore } from '../../../../src/storage/sqlite/forgetting/retention-store.ts'
import { mixedEntry, storeEntries } from '../stored-entries.ts'
import { TemporaryDatabase } from '../temporary-database.ts'

const dayMs = 86_400_000
const begin = Date.UTC(2026, 10, 22)

/** A guard over a clock that the test sets; `anew` continues over a new connection of the same service. */
function guarded(database: TemporaryDatabase) {
  const clock = { at: begin, now: () => clock.at, monotonicMs: () => 0 }
  const told: RetentionNotice[] = []
  const guard = new OperatorsGuard(clock, (notice) => told.push(notice))
  const anew = () => {
    const store = new SqliteRetentionStore(database.connect())
    return { begin: () => guard.begin(store), mayGoOn: () => guard.mayGoOn(store) }
  }
  return { clock, told, anew }
}

test('a clock that jumps while a service runs is told of once, and so is its return', async () => {
  await using database = new TemporaryDatabase()
  const { clock, told, anew } = guarded(database)
  const guard = anew()
  expect(guard.begin()).toBe(begin)
  clock.at = begin + 40 * dayMs
  expect([guard.begin(), guard.mayGoOn(), anew().begin()]).toEqual([null, false, null])
  expect(told).toEqual([{ clockDoubted: { now: clock.at, expectedAt: expect.any(Number), isExact: true } }])
  clock.at = begin + 1000
  expect([guard.mayGoOn(), guard.begin()]).toEqual([true, begin + 1000])
  expect(told.slice(1)).toEqual([{ clockBelieved: begin + 1000 }])
})

test('a clock that is doubted is not kept, however often it is looked at', async () => {
  await using database = new TemporaryDatabase()
  const { clock, anew } = guarded(database)
  const guard = anew()
  guard.begin()
  clock.at = begin + 40 * dayMs
  for (let look = 0; look < 3; look++) expect(guard.begin()).toBeNull()
})

test('a box without a reading goes by the latest of its own traces', async () => {
  await using database = new TemporaryDatabase()
  database.addAccount('account-a')
  database.connect().raw.run('UPDATE account SET created_at = ?', [begin])
  const { clock, anew } = guarded(database)
  clock.at = begin + 1461 * dayMs
  expect(anew().begin()).toBeNull()
  clock.at = begin + dayMs
  expect(anew().begin()).toBe(begin + dayMs)
})

test('records stamped by a doubted clock do not make it believed, on a box without a reading', async () => {
  await using database = new TemporaryDatabase()
  database.addAccount('account-a')
  database.connect().raw.run('UPDATE account SET created_at = ?', [begin])
  const { clock, anew } = guarded(database)
  clock.at = begin + 1461 * dayMs
  expect(anew().begin()).toBeNull()
  storeEntries(database.file, [{ ...mixedEntry('account-a', 0), receivedAt: clock.at }])
  expect(anew().begin()).toBeNull()
  clock.at = begin + dayMs
  expect(anew().begin()).toBe(begin + dayMs)
})

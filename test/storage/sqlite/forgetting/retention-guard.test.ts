// When retention runs, and what it waits for (docs/privacy.md). Time stands still until a test moves it.
import { expect, test } from 'bun:test'
import type { RetentionNotice } from '../../../../src/processing/retention.ts'
import { ClockWatch } from '../../../../src/storage/sqlite/forgetting/clock-watch.ts'
import { Retention } from '../../../../src/storage/sqlite/forgetting/retention.ts'
import { SqliteRetentionKeeper } from '../../../../src/storage/sqlite/forgetting/retention-state.ts'
import { pageView, submission } from '../../../report/sample-entries.ts'
import { AForgettingBox } from '../a-forgetting-box.ts'
import { mixedEntry, storeEntries } from '../stored-entries.ts'
import { TemporaryDatabase } from '../temporary-database.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const begin = Date.UTC(2026, 10, 22)

/** Retention by a clock that the test sets. */
function aRetention(keptMax?: number) {
  const clock = { at: begin, ms: 0, now: () => clock.at, monotonicMs: () => clock.ms }
  const told: RetentionNotice[] = []
  return { clock, told, retention: new Retention(clock, (notice) => told.push(notice), keptMax) }
}

/** A service that keeps everything for ten days, on a machine whose clock has been right so far. */
function service({ keptMax }: { keptMax?: number } = {}) {
  const box = new AForgettingBox()
  box.connection.raw.run(`UPDATE account SET settings = json_set(settings, '$.retention', json(?))`, [
    JSON.stringify({ submissionsDays: 10, eventsDays: 10, refusedDays: 10 }),
  ])
  new ClockWatch(box.connection).trust(begin)
  const { clock, told, retention } = aRetention(keptMax)
  const rest = () => expect(retention.run(box.connection, 1)).toBe('done')
  return { box, clock, told, retention, rest }
}

const views = (count: number, daysAgo: number, account = 'account-a') =>
  Array.from({ length: count }, (_, n) =>
    pageView({ id: `${account}-${daysAgo}-${n}`, accountId: account, receivedAt: begin - daysAgo * dayMs }),
  )
const refused = (count: number) =>
  Array.from({ length: count }, (_, n) =>
    submission({ id: `refused-${n}`, receivedAt: begin, status: 'refused', refusedFor: 'honeypot', email: null }),
  )

test('what has expired goes at the start, is told once, and the next sweep comes an hour later', async () => {
  const { box, clock, told, rest } = service()
  await using _box = box
  box.capture(...views(3, 20), ...views(5, 1))
  rest()
  expect(box.count('ledger')).toBe(5)
  expect(told).toEqual([{ deleted: { submissions: 0, events: 3, refused: 0 } }])
  box.capture(...views(1, 30))
  clock.ms = hourMs - 1
  rest()
  expect(box.count('ledger')).toBe(6)
  clock.ms = hourMs
  rest()
  expect(box.count('ledger')).toBe(5)
})

test('most of an account waits for the operator, who is told once and whose word holds for one pass', async () => {
  const { box, clock, told, rest } = service()
  await using _box = box
  box.capture(...views(12, 20), ...views(3, 1))
  rest()
  clock.ms = hourMs
  rest()
  expect(box.count('ledger')).toBe(15)
  const also = { submissions: 0, events: 0, refused: 0 }
  expect(told).toEqual([{ waits: { account: 'account-a', class: 'events', due: 12, kept: 3, also } }])
  await new SqliteRetentionKeeper(box.connection, clock.now).allow('account-a')
  rest()
  expect(box.count('ledger')).toBe(3)
  box.capture(...views(12, 200))
  clock.ms = 2 * hourMs
  rest()
  expect(box.count('ledger')).toBe(15)
})

test('what time has made due since the last pass needs no permission', async () => {
  const { box, clock, rest } = service()
  await using _box = box
  box.capture(...views(20, 5))
  rest()
  clock.at += 6 * dayMs
  clock.ms += 6 * dayMs
  box.connection.raw.run('UPDATE clock_seen SET at = ?', [clock.at])
  rest()
  expect(box.count('ledger')).toBe(0)
})

test('one account that waits holds up no other', async () => {
  const { box, rest } = service()
  await using _box = box
  box.capture(...views(12, 20), ...views(2, 20, 'account-b'))
  rest()
  expect(box.ids()).toEqual(views(12, 20).map(({ id }) => id))
})

test('a doubted clock deletes nothing by age, but refused submissions keep their limit', async () => {
  const { box, told, rest } = service({ keptMax: 4 })
  await using _box = box
  box.connection.raw.run('UPDATE clock_seen SET at = ?', [begin - 40 * dayMs])
  box.capture(...views(3, 20), ...refused(9))
  rest()
  expect(box.count('ledger')).toBe(3 + 4)
  expect(told[0]).toMatchObject({ clockDoubted: { now: begin } })
})

test('two hours without an end make it overdue, and an end takes that back', async () => {
  const { box, clock, retention, rest } = service()
  await using _box = box
  expect(retention.isOverdue()).toBe(false)
  clock.ms = 2 * hourMs
  expect(retention.isOverdue()).toBe(true)
  rest()
  expect(retention.isOverdue()).toBe(false)
})

test('a clock that jumps while a service runs is told of once, and so is its return, which ends the wait', async () => {
  const { box, clock, told, retention, rest } = service()
  await using _box = box
  rest()
  box.capture(...views(3, 20))
  clock.at = begin + 40 * dayMs
  clock.ms = hourMs
  rest()
  expect([retention.judgeClock(box.connection), retention.judgeClock(box.database.connect())]).toEqual([null, null])
  expect(told).toEqual([{ clockDoubted: { now: clock.at, expectedAt: expect.any(Number), isExact: true } }])
  expect(box.count('ledger')).toBe(3)
  clock.at = begin + 1000
  rest()
  expect(told.slice(1)).toEqual([
    { clockBelieved: begin + 1000 },
    { deleted: { submissions: 0, events: 3, refused: 0 } },
  ])
})

test('a clock that is doubted is not kept, however often it is looked at', async () => {
  await using database = new TemporaryDatabase()
  const { clock, retention } = aRetention()
  const judged = () => retention.judgeClock(database.connect())
  expect(judged()).toBe(begin)
  clock.at = begin + 40 * dayMs
  expect([judged(), judged(), judged()]).toEqual([null, null, null])
})

test('a box without a reading goes by the latest of its own traces', async () => {
  await using database = new TemporaryDatabase()
  database.addAccount('account-a')
  database.connect().raw.run('UPDATE account SET created_at = ?', [begin])
  const { clock, retention } = aRetention()
  clock.at = begin + 1461 * dayMs
  expect(retention.judgeClock(database.connect())).toBeNull()
  clock.at = begin + dayMs
  expect(retention.judgeClock(database.connect())).toBe(begin + dayMs)
})

test('records stamped by a doubted clock do not make it believed, on a box without a reading', async () => {
  await using database = new TemporaryDatabase()
  database.addAccount('account-a')
  database.connect().raw.run('UPDATE account SET created_at = ?', [begin])
  const { clock, retention } = aRetention()
  clock.at = begin + 1461 * dayMs
  expect(retention.judgeClock(database.connect())).toBeNull()
  storeEntries(database.file, [{ ...mixedEntry('account-a', 0), receivedAt: clock.at }])
  expect(retention.judgeClock(database.connect())).toBeNull()
  clock.at = begin + dayMs
  expect(retention.judgeClock(database.connect())).toBe(begin + dayMs)
})

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type MissingCount, missingDaysKept, missingPathsPerDayMax } from '../../../src/capture/missing-log.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import { SqliteMissingLog } from '../../../src/storage/sqlite/capture/missing-log.ts'
import { InlineCommitter } from '../../../src/storage/sqlite/commit/batch-transaction.ts'
import { GroupCommit } from '../../../src/storage/sqlite/commit/group-commit.ts'
import { SqliteOverviewReader } from '../../../src/storage/sqlite/report/overview-reader.ts'
import { TemporaryDatabase } from './temporary-database.ts'

let database: TemporaryDatabase
let log: SqliteMissingLog
let accounts = 0

beforeAll(() => {
  database = new TemporaryDatabase()
  const groupCommit = new GroupCommit(new InlineCommitter(database.file, systemClock), systemClock)
  database.onClose(() => groupCommit.close())
  log = new SqliteMissingLog(database.reader(), groupCommit)
})

afterAll(() => database[Symbol.asyncDispose]())

function newAccount(): string {
  const id = `account-${accounts++}`
  database.addAccount(id)
  return id
}

const asked = (accountId: string, path: string, overrides: Partial<MissingCount> = {}): MissingCount => ({
  accountId,
  day: 1000,
  path,
  count: 1,
  ...overrides,
})

test('counts of a path add up, within a day and over several, the largest first', async () => {
  const account = newAccount()
  await log.add([asked(account, '/a'), asked(account, '/b', { count: 2 }), asked(account, '/a')])
  await log.add([asked(account, '/a', { day: 1001, count: 5 }), asked(newAccount(), '/a', { count: 9 })])
  expect(await log.read(account, 0, 10)).toEqual([
    { path: '/a', count: 7 },
    { path: '/b', count: 2 },
  ])
  expect(await log.read(account, 1001, 10)).toEqual([{ path: '/a', count: 5 }])
  expect(await log.read(account, 0, 1)).toHaveLength(1)
})

test('of a day, the first paths are kept, and go on being counted', async () => {
  const account = newAccount()
  const many = Array.from({ length: missingPathsPerDayMax + 50 }, (_, i) => asked(account, `/p-${i}`))
  await log.add(many)
  await log.add([asked(account, '/p-0'), asked(account, '/late'), asked(account, '/next', { day: 1001 })])
  const read = await log.read(account, 1000, 1000)
  expect(read).toHaveLength(missingPathsPerDayMax + 1)
  expect(read[0]).toEqual({ path: '/p-0', count: 2 })
  expect(read.map(({ path }) => path)).toContain('/next')
})

test('old counts go with newer ones, and those of nobody are dropped', async () => {
  const account = newAccount()
  await log.add([asked(account, '/old'), asked(account, '/kept', { day: 1001 }), asked('nobody', '/x')])
  await log.add([asked(account, '/new', { day: 1001 + missingDaysKept })])
  expect((await log.read(account, 0, 10)).map(({ path }) => path)).toEqual(['/kept', '/new'])
  expect(await log.read('nobody', 0, 10)).toEqual([])
})

test('the overview hears of what was asked for five times on one of two days', async () => {
  const account = newAccount()
  const busy = [asked(account, '/often', { count: 5 }), asked(account, '/more', { day: 999, count: 6 })]
  const rare = [asked(account, '/rare', { count: 4 }), asked(account, '/rare', { day: 999, count: 4 })]
  await log.add([...busy, ...rare, asked(account, '/before', { day: 998, count: 9 })])
  const overview = new SqliteOverviewReader(database.reader())
  expect(await overview.missing([{ id: account, today: 1000 }])).toEqual([
    { accountId: account, path: '/more', count: 6 },
    { accountId: account, path: '/often', count: 5 },
  ])
})

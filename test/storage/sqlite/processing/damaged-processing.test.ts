// Pages of the database file that a disk has damaged: processing goes on behind them, and says what it has left aside.
import { describe, expect, test } from 'bun:test'
import { type Clock, systemClock } from '../../../../src/lib/clock.ts'
import type { RetentionNotice } from '../../../../src/processing/retention.ts'
import { type Connection, openConnection } from '../../../../src/storage/sqlite/database/connection.ts'
import { BackgroundProcessing } from '../../../../src/storage/sqlite/steps/background-processing.ts'
import { readWaiting } from '../../../../src/storage/sqlite/steps/processing.ts'
import { DatabasePages } from '../../../harness/damaged-pages.ts'
import { mixedEntry, storeEntries } from '../stored-entries.ts'
import { TemporaryDatabase } from '../temporary-database.ts'

const entryCount = 1000
/** More steps than any of these need. */
const stepsMax = 5000

/** A closed database whose ledger holds entries of `account-a`, not processed. */
async function closedDatabase(count = entryCount): Promise<TemporaryDatabase> {
  const database = new TemporaryDatabase()
  database.addAccount('account-a')
  storeEntries(
    database.file,
    Array.from({ length: count }, (_, number) => mixedEntry('account-a', number)),
  )
  return database
}

/** Processes as a service does, to the end. @throws when there seems to be none, or the disk is said to be at fault */
function process(file: string, clock: Clock = systemClock): { reasons: string[]; notices: RetentionNotice[] } {
  const reasons: string[] = []
  const notices: RetentionNotice[] = []
  const service = new BackgroundProcessing(file, clock, (notice) => {
    if ('setAside' in notice) reasons.push(notice.setAside)
    if ('retention' in notice) notices.push(notice.retention)
  })
  for (let step = 0; service.run(1000) === 'more'; step++) if (step > stepsMax) throw new Error('it never ends')
  service.close()
  return { reasons, notices }
}

const column = ({ raw }: Connection, sql: string): number[] =>
  raw
    .query<{ n: number }, []>(sql)
    .all()
    .map(({ n }) => n)

const everyNumber = Array.from({ length: entryCount }, (_, index) => index + 1)
const processed = 'SELECT sequence AS n FROM device_entry UNION SELECT sequence FROM submission_fact'

test.each(['fillWithGarbage', 'fillWithZeros'] as const)(
  '%s of leaves of the ledger: each record is processed or set aside, and nothing waits',
  async (fill) => {
    await using database = await closedDatabase()
    const pages = new DatabasePages(database.file)
    const leaves = pages.of('ledger', 'leaf')
    pages[fill](leaves[0] ?? 0, leaves[3] ?? 0, leaves[4] ?? 0, leaves[20] ?? 0)
    const { reasons } = process(database.file)
    const connection = openConnection(database.file)
    const aside = column(connection, 'SELECT sequence AS n FROM set_aside ORDER BY n')
    expect(aside.length).toBeWithin(4, 100)
    expect(reasons).toHaveLength(aside.length)
    expect(new Set(reasons)).toEqual(new Set([expect.stringMatching(/^SQLITE_CORRUPT/)]))
    expect([...column(connection, processed), ...aside].sort((one, other) => one - other)).toEqual(everyNumber)
    expect(readWaiting(connection).waiting).toBe(0)
    connection.raw.close()
  },
)

test('an inner page of the ledger: what it led to is set aside, and a later start tries that once and ends', async () => {
  await using database = await closedDatabase()
  const pages = new DatabasePages(database.file)
  pages.fillWithZeros(...pages.of('ledger', 'internal'))
  expect(process(database.file).reasons).toHaveLength(entryCount)
  expect(process(database.file).reasons).toEqual([])
  const connection = openConnection(database.file)
  expect(column(connection, 'SELECT count(*) AS n FROM set_aside')).toEqual([entryCount])
  connection.raw.close()
})

test('a page of the index as well: processing goes by the table and comes to its end', async () => {
  await using database = await closedDatabase()
  const pages = new DatabasePages(database.file)
  pages.fillWithGarbage(pages.of('ledger', 'leaf')[7] ?? 0, ...pages.of('ledger_by_account', 'leaf'))
  process(database.file)
  const connection = openConnection(database.file)
  expect(column(connection, processed).length).toBeWithin(entryCount - 30, entryCount - 1)
  connection.raw.close()
})

test('a page of what processing has made: records that need it are set aside, and the others go on', async () => {
  await using database = await closedDatabase(300)
  process(database.file)
  storeEntries(
    database.file,
    Array.from({ length: 300 }, (_, number) => mixedEntry('account-a', 300 + number)),
  )
  const pages = new DatabasePages(database.file)
  pages.fillWithGarbage(pages.of('device_by_id', 'leaf')[1] ?? 0)
  expect(process(database.file).reasons.length).toBeGreaterThan(0)
  const connection = openConnection(database.file)
  expect(readWaiting(connection).waiting).toBe(0)
  connection.raw.close()
})

describe('retention on a damaged page of the ledger', () => {
  /** What is left of the entries after the start of a service, when a third of them have expired; and what it tells. */
  async function swept() {
    await using database = await closedDatabase()
    const sound = openConnection(database.file)
    const retention = JSON.stringify({ submissionsDays: 1, eventsDays: 1, refusedDays: 1 })
    sound.raw.run(`UPDATE account SET settings = json_set(settings, '$.retention', json(?))`, [retention])
    sound.raw.close()
    const pages = new DatabasePages(database.file)
    pages.fillWithGarbage(pages.of('ledger', 'leaf')[7] ?? 0)
    // A day after a third of them came: more at once would have to be allowed.
    const clock = { ...systemClock, now: () => Date.UTC(2026, 10, 2, 1, 50) }
    const { notices } = process(database.file, clock)
    const connection = openConnection(database.file)
    const left = column(connection, 'SELECT sequence AS n FROM ledger INDEXED BY ledger_by_account')
    connection.raw.close()
    return { left, notices }
  }

  test('does not tell that it has deleted what stays', async () => {
    const { left, notices } = await swept()
    const told = notices.flatMap((notice) => ('deleted' in notice ? Object.values(notice.deleted) : []))
    expect(told.reduce((sum, deleted) => sum + deleted, 0)).toBe(entryCount - left.length)
  })
})

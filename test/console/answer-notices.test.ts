import { expect, test } from 'bun:test'
import { AnswerNotices } from '../../src/console/api/list.ts'
import { showReport } from '../../src/console/api/reports.ts'
import type { ConsoleBox } from '../../src/console/console-box.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { SqliteAccountStore } from '../../src/storage/sqlite/account/account-store.ts'
import { SqliteFigureReader } from '../../src/storage/sqlite/report/figure-reader.ts'
import { TemporaryDatabase } from '../storage/sqlite/temporary-database.ts'

test('an answer that lacks nothing says nothing', () => {
  const notices = new AnswerNotices()
  expect([notices.member(), notices.headers()]).toEqual([{}, {}])
})

/** Reads the report of a box whose latest records cannot be processed. */
async function reportThatLacks(format: 'json' | 'csv') {
  await using database = new TemporaryDatabase()
  database.addAccount('account-a')
  const accounts = new SqliteAccountStore(database.connect(), systemClock)
  const account = await accounts.find('account-a')
  const processing = {
    catchUp: () => Promise.reject(new Error('disk I/O error')),
    state: async () => ({ waiting: 1 }),
  }
  const figures = new SqliteFigureReader(database.reader())
  const box = { accounts, processing, figures, clock: systemClock } as unknown as ConsoleBox
  return await showReport.run({ account, query: { format, table: 'days' } } as never, box)
}

test('a report says what it lacks, as JSON and as CSV', async () => {
  const notices = ['The latest records could not be processed (disk I/O error). `capture doctor` says more.']
  expect(await reportThatLacks('json')).toMatchObject({ value: { notices } })
  const csv = (await reportThatLacks('csv')) as Response
  expect(csv.headers.get('x-capture-notices')).toBe('1')
})

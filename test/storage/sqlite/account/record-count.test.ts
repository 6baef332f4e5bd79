import { expect, test } from 'bun:test'
import { systemClock } from '../../../../src/lib/clock.ts'
import { recordCount, SqliteAccountStore } from '../../../../src/storage/sqlite/account/account-store.ts'
import { submission, trackedEvent } from '../../../report/sample-entries.ts'
import { storeEntries } from '../stored-entries.ts'
import { TemporaryDatabase } from '../temporary-database.ts'

test('the records of an account are counted all, or as far as somebody wants to know', async () => {
  await using database = new TemporaryDatabase()
  database.addAccount('account-a')
  storeEntries(
    database.file,
    Array.from({ length: 5 }, (_, number) => trackedEvent({ id: `event-${number}` })),
  )
  const accounts = new SqliteAccountStore(database.connect(), systemClock)
  const records = async (most?: number) => (await accounts.countsOf('account-a', most)).records
  expect([await records(), await records(3), await records(6)]).toEqual([5, 3, 5])
})

test('others get their turn while the records of an account are counted', async () => {
  await using database = new TemporaryDatabase()
  database.addAccount('account-a')
  const entries = Array.from({ length: 9 }, (_, number) => trackedEvent({ id: `event-${number}` }))
  storeEntries(database.file, [...entries, submission({ id: 'a-submission' })])
  const order: string[] = []
  setImmediate(() => order.push('another'))
  const counted = recordCount(database.connect(), 1, { max: 100, rowsPerStep: 2 }).then((count) =>
    order.push(`${count}`),
  )
  await counted
  expect(order).toEqual(['another', '10'])
})

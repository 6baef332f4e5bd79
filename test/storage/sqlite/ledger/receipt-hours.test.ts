import { expect, test } from 'bun:test'
import { emptyBatch } from '../../../../src/capture/write-batch.ts'
import { BatchTransaction } from '../../../../src/storage/sqlite/commit/batch-transaction.ts'
import { encodeEntries, joinEntries } from '../../../../src/storage/sqlite/ledger/ledger-codec.ts'
import { firstSequenceFrom } from '../../../../src/storage/sqlite/ledger/receipt-hours.ts'
import { pageView, submission } from '../../../report/sample-entries.ts'
import { TemporaryDatabase } from '../temporary-database.ts'

const hourMs = 3_600_000
/** Entries received in these hours; ids are the hour and a number that no other has. */
let made = 0
const entryOf = (hour: number) => pageView({ id: `${hour}-${made++}`, receivedAt: hour * hourMs + 1 })
const batch = (...hours: number[]) => ({ ...emptyBatch, entries: joinEntries(encodeEntries(hours.map(entryOf))) })

function withTransaction() {
  const database = new TemporaryDatabase()
  database.addAccount('account-a')
  const transaction = new BatchTransaction(database.file)
  database.onClose(async () => transaction.close())
  const first = (hour: number) => firstSequenceFrom(database.reader(), hour * hourMs)
  return { database, transaction, first }
}

test('reading from an instant on begins with the first entry of its hour, or of the next that has one', async () => {
  const { database, transaction, first } = withTransaction()
  await using _ = database
  transaction.commit([batch(100, 100, 101, 104)], 0)
  expect([99, 100, 101, 102, 104, 105].map(first)).toEqual([1, 1, 3, 4, 4, Number.POSITIVE_INFINITY])
})

test('an entry that is committed late, by a clock that was set back, is not passed over', async () => {
  const { database, transaction, first } = withTransaction()
  await using _ = database
  transaction.commit([batch(200), batch(100), batch(200)], 0)
  expect([100, 150, 200].map(first)).toEqual([1, 1, 1])
  transaction.commit([batch(300)], 0)
  expect(first(250)).toBe(4)
})

test('what a transaction noted that failed is noted again by the next', async () => {
  const { database, transaction, first } = withTransaction()
  await using _ = database
  const twice = submission({ id: 'twice', receivedAt: 100 * hourMs })
  const failing = { ...batch(), entries: joinEntries(encodeEntries([twice, twice])) }
  expect(() => transaction.commit([failing], 0)).toThrow('UNIQUE')
  expect(first(100)).toBe(Number.POSITIVE_INFINITY)
  transaction.commit([batch(100)], 0)
  expect(Number.isFinite(first(100))).toBe(true)
})

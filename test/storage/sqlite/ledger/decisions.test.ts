// Decisions stand in the ledger, and are no records (docs/decisions/0047).
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { ErasureEntry } from '../../../../src/ledger/decision.ts'
import { systemClock } from '../../../../src/lib/clock.ts'
import { SqliteAccountStore } from '../../../../src/storage/sqlite/account/account-store.ts'
import { compareWithRestored } from '../../../../src/storage/sqlite/backup/restored-databases.ts'
import { InlineCommitter } from '../../../../src/storage/sqlite/commit/batch-transaction.ts'
import { GroupCommit } from '../../../../src/storage/sqlite/commit/group-commit.ts'
import { latestEntryIds } from '../../../../src/storage/sqlite/commit/latest-entry-ids.ts'
import { recordsReceivedAfter } from '../../../../src/storage/sqlite/inspection/database-inspector.ts'
import { SqliteLedger } from '../../../../src/storage/sqlite/ledger/ledger.ts'
import { decodeDecision, encodeDecision } from '../../../../src/storage/sqlite/ledger/ledger-codec.ts'
import { released, submission, trackedEvent } from '../../../report/sample-entries.ts'
import { storeEntries } from '../stored-entries.ts'
import { TemporaryDatabase } from '../temporary-database.ts'

const at = Date.UTC(2026, 10, 20)
const erasure: ErasureEntry = {
  kind: 'erasure',
  id: 'erasure-entry-1',
  accountId: 'account-a',
  receivedAt: at,
  erasureId: 'erasure-1',
  personId: 'person-1',
  of: 'person',
  records: ['gone-1', 'gone-2'],
  isEnd: false,
}
const refused = submission({ id: 'refused-1', receivedAt: at, status: 'refused', refusedFor: 'honeypot' })

let database: TemporaryDatabase
beforeEach(() => {
  database = new TemporaryDatabase()
  database.addAccount('account-a')
  storeEntries(database.file, [
    refused,
    trackedEvent({ id: 'event-1', receivedAt: at }),
    released('refused-1', at),
    erasure,
  ])
})
afterEach(() => database[Symbol.asyncDispose]())

describe('decisions', () => {
  test('are read back as they were, and not where one byte of them has changed', () => {
    for (const decision of [released('refused-1', at), erasure]) {
      const row = encodeDecision(decision)
      expect(decodeDecision(row, 'account-a')).toEqual(decision)
      expect(() => decodeDecision({ ...row, receivedAt: at + 1 }, 'account-a')).toThrow('is not as it was captured')
      expect(() => decodeDecision({ ...row, record: '{"records":7}' }, 'account-a')).toThrow(
        'is not as it was captured',
      )
    }
  })

  test('are read by no reader of records', async () => {
    const reader = database.reader()
    const ledger = new SqliteLedger(
      reader,
      new GroupCommit(new InlineCommitter(database.file, systemClock), systemClock),
    )
    const rows = await ledger.readAfter({ accountId: 'account-a', after: null, limit: 10 })
    expect(rows.map(({ entry }) => entry.id)).toEqual(['refused-1', 'event-1'])
  })

  test('are counted as no records: when an account goes, when a clock was ahead, when a backup is restored', async () => {
    const connection = database.connect()
    expect(await new SqliteAccountStore(connection, systemClock).countsOf('account-a')).toMatchObject({ records: 2 })
    expect(recordsReceivedAfter(connection, at - 1).count).toBe(2)
    await using empty = new TemporaryDatabase()
    expect(compareWithRestored(database.file, empty.file).leftBehind).toMatchObject({
      submissions: 1,
      events: 1,
      others: 0,
    })
  })

  test('hide nothing of what the writing thread had stored when it died', () => {
    expect(latestEntryIds(database.connect(), 2)).toEqual(new Set(['refused-1', 'event-1']))
  })
})

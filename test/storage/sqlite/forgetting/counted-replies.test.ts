// docs/privacy.md: what an erasure takes of the replies that an address got, and when the others go.
import { expect, test } from 'bun:test'
import { boxReplyMark } from '../../../../src/account/reply-opt-out.ts'
import { systemClock } from '../../../../src/lib/clock.ts'
import { SqliteReplyConsent } from '../../../../src/storage/sqlite/account/reply-consent.ts'
import { SqliteSigningKeyStore } from '../../../../src/storage/sqlite/account/signing-key-store.ts'
import { submission } from '../../../report/sample-entries.ts'
import { AForgettingBox } from '../a-forgetting-box.ts'
import { storeEntries } from '../stored-entries.ts'

const dayMs = 86_400_000
const ada = 'ada@customer.example'
const ben = 'ben@customer.example'

interface Counted {
  account: string
  mark: string
}

test('an erasure takes the marks of replies to the address in its account, and nobody else’s', async () => {
  await using box = new AForgettingBox()
  await SqliteSigningKeyStore.open(box.connection, systemClock)
  const key = new SqliteReplyConsent(box.connection.raw).key()
  const add = box.connection.raw.query(
    `INSERT INTO visitor_reply (account_row, destination_row, address_mark, at)
     SELECT row, 1, ?2, 0 FROM account WHERE id = ?1`,
  )
  box.capture(submission({ id: 'lead-1', email: ada, fields: { email: ada } }))
  const counted = [
    { account: 'account-a', mark: boxReplyMark(ada, key) },
    { account: 'account-a', mark: boxReplyMark(ben, key) },
    { account: 'account-b', mark: boxReplyMark(ada, key) },
  ]
  for (const { account, mark } of counted) add.run(account, mark)

  await box.erase(ada)
  const left = box.rows<Counted>(
    `SELECT id AS account, address_mark AS mark FROM visitor_reply JOIN account ON account.row = account_row
     ORDER BY visitor_reply.rowid`,
  )
  expect(left).toEqual(counted.slice(1))
})

/** Days on which replies were made that retention leaves, on the fourth day. */
function daysLeft(box: AForgettingBox): number[] {
  const days = [0, 1, 2, 3]
  for (const day of days)
    box.connection.raw.run(
      `INSERT INTO visitor_reply (account_row, destination_row, address_mark, at) VALUES (1, 1, '', ?)`,
      [day * dayMs],
    )
  box.sweep(4 * dayMs)
  return box.rows<{ at: number }>('SELECT at FROM visitor_reply ORDER BY at').map(({ at }) => at / dayMs)
}

test('retention takes replies that are too old to count, though nobody gets another one', async () => {
  await using box = new AForgettingBox()
  expect(daysLeft(box)).toEqual([2, 3])
})

test('retention leaves replies that count for a record which waits', async () => {
  await using box = new AForgettingBox()
  storeEntries(box.database.file, [submission({ id: 'waits', receivedAt: 3 * dayMs })])
  expect(daysLeft(box)).toEqual([1, 2, 3])
})

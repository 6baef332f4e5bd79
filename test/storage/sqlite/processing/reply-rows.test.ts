// docs/replies.md: which replies count towards an account's limits.
import { expect, test } from 'bun:test'
import { boxReplyMark } from '../../../../src/account/reply-opt-out.ts'
import { systemClock } from '../../../../src/lib/clock.ts'
import { SqliteReplyConsent } from '../../../../src/storage/sqlite/account/reply-consent.ts'
import { SqliteSigningKeyStore } from '../../../../src/storage/sqlite/account/signing-key-store.ts'
import { ReplyRows } from '../../../../src/storage/sqlite/processing/delivery-rows.ts'
import { AForgettingBox } from '../a-forgetting-box.ts'

const hourMs = 3_600_000

test('a form counts the replies of its account’s other forms, also of removed ones, and those to the address', async () => {
  await using box = new AForgettingBox()
  const { raw } = box.connection
  await SqliteSigningKeyStore.open(box.connection, systemClock)
  const key = new SqliteReplyConsent(raw).key()
  const rowOf = (id: string): number =>
    raw.query<{ row: number }, [string]>('SELECT row FROM account WHERE id = ?').get(id)?.row ?? 0
  const add = (account: string, destination: number, email: string) =>
    raw.run('INSERT INTO visitor_reply (account_row, destination_row, address_mark, at) VALUES (?, ?, ?, ?)', [
      rowOf(account),
      destination,
      boxReplyMark(email, key),
      hourMs,
    ])
  add('account-a', 1, 'ben@customer.example')
  add('account-a', 2, 'cleo@customer.example')
  add('account-b', 3, 'ada@customer.example')
  add('account-b', 3, 'dora@customer.example')

  const asked = { accountId: 'account-a', destination: 1 as never, email: 'ada@customer.example', at: 2 * hourMs }
  const { answered } = new ReplyRows(raw, rowOf).history(asked)
  expect(answered.toSorted((one, other) => (one.form < other.form ? -1 : 1))).toEqual([
    { form: '1', account: 'account-a', address: '', at: hourMs },
    { form: '2', account: 'account-a', address: '', at: hourMs },
    { form: '3', account: '', address: 'ada@customer.example', at: hourMs },
  ])
})

// What users of the console wrote about a submission goes with it, and what they wrote about an address with its person.
import { describe, expect, test } from 'bun:test'
import type { Actor } from '../../../../src/console/audit/audit-log.ts'
import { SqliteAccountStore } from '../../../../src/storage/sqlite/account/account-store.ts'
import { sqliteConsoleStores } from '../../../../src/storage/sqlite/console/console-stores.ts'
import { HeldClock } from '../../../contract/budget-store.ts'
import { submission } from '../../../report/sample-entries.ts'
import { AForgettingBox } from '../a-forgetting-box.ts'

const ada = 'ada-77@customer.example'
const by: Actor = { kind: 'user', id: 'user-1', label: 'colleague@agency.example' }

const lead = (id: string, email: string) => submission({ id, email, deviceId: `device-of-${id}`, fields: { email } })

/** Two leads with a state and notes each, and a user with saved filters. */
async function aWorkedBox(): Promise<AForgettingBox> {
  const box = new AForgettingBox()
  box.capture(lead('hers', ada), lead('his', 'bob@customer.example'))
  const { inboxStates, notes, savedFilters } = sqliteConsoleStores(box.connection)
  for (const id of ['hers', 'his']) {
    await inboxStates.set('account-a', id, { state: 'done', at: 1, by })
    for (let number = 0; number < 40; number++)
      await notes.add('account-a', id, { id: `${id}-${number}`, at: number, by, text: noteText(id, number) })
  }
  box.connection.raw.run(
    `INSERT INTO console_user (id, email, is_owner, created_at, recovery_hashes) VALUES ('user-1', ?, 0, 0, '[]')`,
    [by.label],
  )
  const owner = { userId: 'user-1', accountId: 'account-a' }
  await savedFilters.save(owner, { id: 'f1', name: 'Hers', query: `status=all&q=mail+${encodeURIComponent(ada)}` })
  await savedFilters.save(owner, { id: 'f2', name: 'Robots', query: 'status=refused' })
  return box
}

/** On his, one note names her address; hers tell of a secret. */
const noteText = (id: string, number: number): string => {
  if (id === 'hers') return `her-secret-${number} ${'x'.repeat(number * 37)}`
  return number === 7 ? `Sister of <${ada.toUpperCase()}>` : `his-words-${number} ${'y'.repeat(number * 41)}`
}

describe('erasing a person', () => {
  test('takes states and notes of their submissions, and what else names their address', async () => {
    await using box = await aWorkedBox()
    expect(await box.erase(ada)).toMatchObject({ submissions: 1, verified: true })
    expect(box.count('submission_state')).toBe(1)
    expect(box.rows<{ id: string }>('SELECT id FROM submission_note').map(({ id }) => id)).toEqual(
      Array.from({ length: 40 }, (_, number) => `his-${number}`).filter((id) => id !== 'his-7'),
    )
    expect(box.rows('SELECT name FROM saved_filter')).toEqual([{ name: 'Robots' }])
  })

  test('leaves nothing of them in the database’s files, however their rows were moved', async () => {
    await using box = await aWorkedBox()
    const { notes } = sqliteConsoleStores(box.connection)
    // Where most of a page is deleted, SQLite moves the rest to another one.
    for (let number = 40; number < 190; number++)
      for (const id of ['hers', 'his'])
        await notes.add('account-a', id, { id: `${id}-${number}`, at: 1, by, text: noteText(id, (number * 7) % 40) })
    for (let number = 40; number < 190; number++)
      for (const id of ['hers', 'his']) if (number % 7 !== 0) await notes.remove('account-a', id, `${id}-${number}`)
    await box.erase(ada)
    const bytes = box.bytes().toLowerCase()
    for (const gone of ['her-secret', ada, 'ada-77', 'sister of'])
      expect([gone, bytes.includes(gone)]).toEqual([gone, false])
    expect(bytes).toContain('his-words-39')
  })
})

test('retention takes states and notes with the submission', async () => {
  await using box = await aWorkedBox()
  box.connection.raw.run(
    `UPDATE account SET settings = json_set(settings, '$.retention', json('{"submissionsDays":1,"eventsDays":null,"refusedDays":1}'))`,
  )
  box.sweep(Date.UTC(2027, 0, 1))
  expect(['ledger', 'submission_state', 'submission_note'].map((table) => box.count(table))).toEqual([0, 0, 0])
})

test('removing the account takes all of them', async () => {
  await using box = await aWorkedBox()
  await new SqliteAccountStore(box.connection, new HeldClock()).remove('account-a')
  const left = ['submission_state', 'submission_note', 'saved_filter'].map((table) => box.count(table))
  expect(left).toEqual([0, 0, 0])
})

test('removing a user takes their saved filters', async () => {
  await using box = await aWorkedBox()
  await sqliteConsoleStores(box.connection).users.remove('user-1', 0)
  expect(box.count('saved_filter')).toBe(0)
})

// Releases were marks beside the records, and erasures had tables, before they became entries of the ledger
// (docs/decisions/0047).
import { describe, expect, test } from 'bun:test'
import { systemClock } from '../../../../src/lib/clock.ts'
import { unfinishedRemovals } from '../../../../src/storage/sqlite/account/account-removal.ts'
import { allErasures } from '../../../../src/storage/sqlite/forgetting/erasure-entries.ts'
import { LoggedErasure } from '../../../../src/storage/sqlite/forgetting/erasure-log.ts'
import { readBacklog } from '../../../../src/storage/sqlite/processing/backlog.ts'
import { SqliteQuarantine } from '../../../../src/storage/sqlite/processing/quarantine.ts'
import { ProcessingSteps } from '../../../../src/storage/sqlite/processing/step.ts'
import { SqliteSubmissionReader } from '../../../../src/storage/sqlite/report/submission-reader.ts'
import { submission } from '../../../report/sample-entries.ts'
import { storeEntries } from '../stored-entries.ts'
import { TemporaryDatabase } from '../temporary-database.ts'

/** The steps of the schema of the last version that kept both beside the ledger. */
const stepsBefore = 11
const hour = 3_600_000
const at = (hours: number): number => Date.UTC(2026, 10, 20) + hours * hour

const refused = (number: number) =>
  submission({
    id: `refused-${number}`,
    receivedAt: at(number),
    status: 'refused',
    refusedFor: 'honeypot',
    fields: { number },
  })

/**
 * A database of that version with four refused submissions: released and counted; released, but not counted yet; released
 * and set aside; refused still.
 */
function databaseBefore(): TemporaryDatabase {
  const database = new TemporaryDatabase(stepsBefore)
  const { raw } = database.connect()
  database.addAccount('account-a')
  storeEntries(database.file, [1, 2, 3, 4].map(refused))
  raw.run(`INSERT INTO submission_fact (sequence, account_row, id, form_id, received_at, status)
    SELECT sequence, account_row, id, 'contact1', received_at, 'refused' FROM ledger`)
  raw.run('UPDATE processing SET cursor = 4')
  raw.run(`INSERT INTO person VALUES (7, 1, 'given-out', 'ada@acme.example', 0, '[]')`)
  const release = (id: string, set: string) => raw.run(`UPDATE submission_fact SET ${set} WHERE id = '${id}'`)
  release('refused-1', `released_at = ${at(10)}, person_row = 7, lead_day = 20777, lead_source = 'direct'`)
  release('refused-2', `released_at = ${at(11)}, release_waits = 1`)
  release('refused-3', `released_at = ${at(9)}`)
  raw.run(`INSERT INTO set_aside VALUES (3, 1, 'TypeError', 0)`)
  return database
}

describe('releases', () => {
  test('each become an entry of the ledger, in their order, and what was counted stays so', async () => {
    await using database = databaseBefore()
    database.migrate()
    const { raw } = database.connect()
    expect(raw.query('SELECT sequence, kind, id, received_at, record FROM ledger WHERE sequence > 4').values()).toEqual(
      [
        [5, 5, 'refused-3', at(9), '{}'],
        [6, 5, 'refused-1', at(10), '{}'],
        [7, 5, 'refused-2', at(11), '{}'],
      ],
    )
    expect(raw.query('SELECT id, released_at, lead_day FROM submission_fact ORDER BY sequence').values()).toEqual([
      ['refused-1', at(10), 20777],
      ['refused-2', null, null],
      ['refused-3', null, null],
      ['refused-4', null, null],
    ])
    expect(raw.query('SELECT hour FROM receipt_hour ORDER BY hour').values().slice(-3)).toEqual([
      [at(9) / hour],
      [at(10) / hour],
      [at(11) / hour],
    ])
  })

  test('those that waited, or were set aside, are processed then, and nobody gets another id', async () => {
    await using database = databaseBefore()
    database.migrate()
    const connection = database.connect()
    const steps = new ProcessingSteps(connection, systemClock)
    while (steps.run(1000) === 'more');
    expect(readBacklog(connection)).toMatchObject({ waiting: 0, setAside: { count: 0 } })
    expect(connection.raw.query('SELECT id, released_at FROM submission_fact ORDER BY sequence').values()).toEqual([
      ['refused-1', at(10)],
      ['refused-2', at(11)],
      ['refused-3', at(9)],
      ['refused-4', null],
    ])
    expect(connection.raw.query(`SELECT id FROM person WHERE row = 7`).values()).toEqual([['given-out']])
    const quarantine = new SqliteQuarantine(connection, new SqliteSubmissionReader(database.reader()))
    expect(await quarantine.release('account-a', 'refused-1', at(20))).toEqual({
      outcome: 'already_released',
      at: at(10),
    })
    expect(await quarantine.release('account-a', 'refused-4', at(20))).toEqual({ outcome: 'released', at: at(20) })
  })
})

const erasedBefore = 1001

/** With an erasure of many records that ended, one of another account that did not, and one that took nothing. */
function databaseWithLog(): TemporaryDatabase {
  const database = new TemporaryDatabase(stepsBefore)
  const { raw } = database.connect()
  database.addAccount('account-a')
  storeEntries(database.file, [refused(1)])
  raw.run(`INSERT INTO erasure VALUES (3, 'erasure-1', 'account-a', 'person-1', ${at(1)}, ${at(2)}),
    (4, 'erasure-2', 'account-gone', NULL, ${at(3)}, NULL), (5, 'erasure-3', 'account-a', 'person-3', ${at(4)}, NULL)`)
  for (let n = 0; n < erasedBefore; n++) raw.run('INSERT INTO erased_record VALUES (3, ?, ?)', [n + 10, `erased-${n}`])
  raw.run(`INSERT INTO erased_record VALUES (4, 5, 'erased-a'), (4, 6, 'erased-b')`)
  return database
}

describe('erasures', () => {
  const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

  test('become entries of a bounded size, with ids of the time of the erasure', async () => {
    await using database = databaseWithLog()
    database.migrate()
    const entries = allErasures(database.connect().raw)
    expect(
      entries.map(({ erasureId, accountId, personId, records, isEnd }) => [
        erasureId,
        accountId,
        personId,
        records.length,
        isEnd,
      ]),
    ).toEqual([
      ['erasure-1', 'account-a', 'person-1', 1000, false],
      ['erasure-1', 'account-a', 'person-1', 1, false],
      ['erasure-1', 'account-a', 'person-1', 0, true],
      ['erasure-2', 'account-gone', null, 2, false],
    ])
    expect(entries.flatMap(({ records }) => records).slice(-3)).toEqual(['erased-1000', 'erased-a', 'erased-b'])
    expect(new Set(entries.map(({ id }) => id)).size).toBe(4)
    for (const { id, receivedAt } of entries) {
      expect(id).toMatch(uuid)
      expect(Number.parseInt(id.replace('-', '').slice(0, 12), 16)).toBe(receivedAt)
    }
    expect(entries.map(({ receivedAt }) => receivedAt)).toEqual([at(2), at(2), at(2), at(3)])
  })

  test('make no account visible that the box did not have', async () => {
    await using database = databaseWithLog()
    database.migrate()
    const connection = database.connect()
    expect(connection.raw.query('SELECT id, removed_at FROM account ORDER BY row').values()).toEqual([
      ['account-a', null],
      ['account-gone', 0],
    ])
    expect(unfinishedRemovals(connection)).toEqual([])
  })

  test('that were interrupted are finished as the same one', async () => {
    await using database = databaseWithLog()
    database.connect().raw.run(`UPDATE erasure SET ended_at = NULL WHERE id = 'erasure-1'`)
    database.migrate()
    const connection = database.connect()
    new LoggedErasure(connection, systemClock, { accountId: 'account-a', personId: 'person-1' }).end()
    expect(allErasures(connection.raw).filter(({ isEnd }) => isEnd)).toMatchObject([{ erasureId: 'erasure-1' }])
  })
})

// Releases were marks beside the records before they became entries of the ledger (docs/decisions/0047).
import { expect, test } from 'bun:test'
import { systemClock } from '../../../src/lib/clock.ts'
import { readBacklog } from '../../../src/storage/sqlite/processing/backlog.ts'
import { SqliteQuarantine } from '../../../src/storage/sqlite/processing/quarantine.ts'
import { ProcessingSteps } from '../../../src/storage/sqlite/processing/step.ts'
import { SqliteSubmissionReader } from '../../../src/storage/sqlite/report/submission-reader.ts'
import { submission } from '../../report/sample-entries.ts'
import { storeEntries } from './stored-entries.ts'
import { TemporaryDatabase } from './temporary-database.ts'

/** The steps of the schema of the last version that kept marks. */
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

test('each becomes an entry of the ledger, in their order, and what was counted stays so', async () => {
  await using database = databaseBefore()
  database.migrate()
  const { raw } = database.connect()
  expect(raw.query('SELECT sequence, kind, id, received_at, record FROM ledger WHERE sequence > 4').values()).toEqual([
    [5, 5, 'refused-3', at(9), '{}'],
    [6, 5, 'refused-1', at(10), '{}'],
    [7, 5, 'refused-2', at(11), '{}'],
  ])
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

import { describe, expect, test } from 'bun:test'
import { systemClock } from '../../../../src/lib/clock.ts'
import type { Connection } from '../../../../src/storage/sqlite/database/connection.ts'
import { BackgroundProcessing } from '../../../../src/storage/sqlite/steps/background-processing.ts'
import { readBacklog } from '../../../../src/storage/sqlite/steps/processing.ts'
import { WorkMark } from '../../../../src/storage/sqlite/steps/slow-entries.ts'
import { ProcessingSteps } from '../../../../src/storage/sqlite/steps/step.ts'
import { ProcessedLedger, refused, sent } from '../../../processing/submissions/processed-ledger.ts'
import { derivedContent, mixedEntry, storeEntries } from '../stored-entries.ts'
import { TemporaryDatabase } from '../temporary-database.ts'

// A program that could not process some records is replaced by one that can: they are tried once by each service that
// starts. A trigger stands for the fault of the first program.

const entryCount = 60
const longAgo = 1000

function withEntries(): { database: TemporaryDatabase; connection: Connection } {
  const database = new TemporaryDatabase()
  database.addAccount('account-a')
  const entries = Array.from({ length: entryCount }, (_, number) => mixedEntry('account-a', number))
  storeEntries(database.file, entries)
  return { database, connection: database.connect() }
}

/** What a service does from its start until nothing waits; answers the reasons it told of. */
function serve(file: string): string[] {
  const told: string[] = []
  const processing = new BackgroundProcessing(file, systemClock, (notice) => {
    if ('setAside' in notice) told.push(notice.setAside)
  })
  for (let step = 0; processing.run(1000) === 'more'; step++) if (step > 1000) throw new Error('it never ends')
  processing.close()
  return told
}

const breakOn = ({ raw }: Connection, sequences: number[]) =>
  raw.run(
    `CREATE TRIGGER fault BEFORE INSERT ON device_entry WHEN NEW.sequence IN (${sequences})
     BEGIN SELECT RAISE(ABORT, 'a fault'); END`,
  )
const mend = ({ raw }: Connection) => raw.run('DROP TRIGGER fault')
/** As if the service that set them aside had run some time ago. */
const age = ({ raw }: Connection) => raw.run('UPDATE set_aside SET at = ?', [longAgo])
const setAside = ({ raw }: Connection) =>
  raw.query<{ sequence: number; at: number }, []>('SELECT sequence, at FROM set_aside ORDER BY sequence').all()

/** All but the figures, which count visits as the records come. */
function known({ raw }: Connection): Record<string, string[]> {
  const { day_figure: _figures, device: _visits, device_entry: _counted, ...rest } = derivedContent(raw)
  return rest
}

describe('records that were set aside', () => {
  const faulty = [5, 11, 26, 27]

  test('are processed by a later service that can, and make what they would have made', async () => {
    const contentAfter = async (isFaulty: boolean) => {
      const { database, connection } = withEntries()
      await using _database = database
      if (isFaulty) {
        breakOn(connection, faulty)
        expect(serve(database.file)).toHaveLength(faulty.length)
        mend(connection)
        age(connection)
      }
      expect(serve(database.file)).toEqual([])
      expect(setAside(connection)).toEqual([])
      return known(connection)
    }
    expect(await contentAfter(true)).toEqual(await contentAfter(false))
  })

  test('stay aside when they fail again, as of that start, and are tried no more by it', async () => {
    const { database, connection } = withEntries()
    await using _database = database
    breakOn(connection, faulty)
    serve(database.file)
    age(connection)
    const startedAt = Date.now()
    expect(serve(database.file)).toEqual([])
    expect(setAside(connection).map(({ sequence }) => sequence)).toEqual(faulty)
    for (const { at } of setAside(connection)) expect(at).toBeGreaterThanOrEqual(startedAt)
  })

  test('are tried once, also by a clock that was set back since the service started', async () => {
    const { database, connection } = withEntries()
    await using _database = database
    breakOn(connection, faulty)
    serve(database.file)
    age(connection)
    let nowMs = 2 * longAgo
    const clock = { now: () => nowMs, monotonicMs: () => systemClock.monotonicMs() }
    const steps = () =>
      new ProcessingSteps(connection, clock, {
        startedAt: 2 * longAgo,
        version: '1.0.0',
        mark: new WorkMark(),
        onSetAside: () => {},
      })
    nowMs = 0
    const first = steps()
    for (const _ of faulty) expect(first.run(1000)).toBe('more')
    expect(first.run(1000)).toBe('done')
    expect(steps().run(1000)).toBe('done')
  })

  test('are left alone by commands, which run again and again', async () => {
    const { database, connection } = withEntries()
    await using _database = database
    breakOn(connection, faulty)
    serve(database.file)
    mend(connection)
    age(connection)
    expect(new ProcessingSteps(connection, systemClock).run(1000)).toBe('done')
    expect(setAside(connection)).toHaveLength(faulty.length)
  })

  test('that were erased since are not made again', async () => {
    const { database, connection } = withEntries()
    await using _database = database
    breakOn(connection, faulty)
    serve(database.file)
    mend(connection)
    age(connection)
    connection.raw.run('DELETE FROM ledger WHERE sequence = 26')
    serve(database.file)
    expect(setAside(connection).map(({ sequence }) => sequence)).toEqual([26])
    expect(connection.raw.query('SELECT 1 FROM device_entry WHERE sequence = 26').values()).toEqual([])
  })
})

test('a release that failed is tried again as a release: the submission counts once', async () => {
  await using ledger = new ProcessedLedger(refused(0), sent(60))
  await ledger.release('at-0')
  const { connection, database } = ledger
  const [[record] = []] = connection.raw.query(`SELECT record FROM ledger WHERE kind = 1 AND id = 'at-0'`).values()
  connection.raw.run(`UPDATE ledger SET record = '{' WHERE kind = 1 AND id = 'at-0'`)
  ledger.process()
  expect(readBacklog(connection).setAside.count).toBe(1)
  connection.raw.run(`UPDATE ledger SET record = ? WHERE kind = 1 AND id = 'at-0'`, [String(record)])
  age(connection)
  serve(database.file)
  expect(readBacklog(connection)).toMatchObject({ waiting: 0, setAside: { count: 0 } })
  expect(ledger.figures()).toEqual({
    '0 lead contact1': 1,
    '0 lead_source unknown': 1,
    '1 lead contact1': 1,
    '1 lead_source unknown': 1,
  })
})

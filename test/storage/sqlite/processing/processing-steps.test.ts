// What is behind the capture (docs/architecture.md): each stored record once, in order, whoever processes it.
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Entry } from '../../../../src/ledger/entry.ts'
import { systemClock } from '../../../../src/lib/clock.ts'
import type { Connection } from '../../../../src/storage/sqlite/database/connection.ts'
import { readBacklog, SqliteProcessing } from '../../../../src/storage/sqlite/steps/processing.ts'
import { ProcessingSteps } from '../../../../src/storage/sqlite/steps/step.ts'
import { click, pageView, source, submission } from '../../../report/sample-entries.ts'
import { derivedContent, mixedEntry, storeEntries } from '../stored-entries.ts'
import { TemporaryDatabase } from '../temporary-database.ts'

const entryCount = 60
const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
/** More steps than any of these need. */
const stepsMax = 1000

/** A database whose ledger holds so many entries of `account-a`. */
function withEntries(count = entryCount): TemporaryDatabase {
  const database = new TemporaryDatabase()
  database.addAccount('account-a')
  storeEntries(
    database.file,
    Array.from({ length: count }, (_, number) => mixedEntry('account-a', number)),
  )
  return database
}

const stepsOn = (connection: Connection) => new ProcessingSteps(connection, systemClock)

/** Runs to the end. @throws when there seems to be none */
function finish(steps: ProcessingSteps, msMax = 1000): void {
  for (let step = 0; steps.run(msMax) === 'more'; step++) if (step > stepsMax) throw new Error('it never ends')
}

async function processedAtOnce(): Promise<Record<string, string[]>> {
  await using database = withEntries()
  const connection = database.connect()
  finish(stepsOn(connection))
  return derivedContent(connection.raw)
}

const numbers = (connection: Connection, sql: string): number[] =>
  connection.raw
    .query<{ n: number }, []>(sql)
    .all()
    .map(({ n }) => n)
const processedSequences = (connection: Connection) =>
  numbers(connection, 'SELECT sequence AS n FROM device_entry ORDER BY sequence')
const setAsideSequences = (connection: Connection) =>
  numbers(connection, 'SELECT sequence AS n FROM set_aside ORDER BY sequence')
const upTo = (count: number, without: number[] = []) =>
  Array.from({ length: count }, (_, index) => index + 1).filter((sequence) => !without.includes(sequence))

describe('processing', () => {
  test('processes each stored entry once and leaves nothing waiting', async () => {
    await using database = withEntries()
    const connection = database.connect()
    finish(stepsOn(connection))
    expect(processedSequences(connection)).toEqual(upTo(entryCount))
    expect(readBacklog(connection)).toMatchObject({ waiting: 0, oldestReceivedAt: null, setAside: { count: 0 } })
  })

  test('a step that has no time at all takes one entry', async () => {
    await using database = withEntries(3)
    const connection = database.connect()
    const steps = stepsOn(connection)
    expect([steps.run(0), steps.run(0), steps.run(0), steps.run(0)]).toEqual(['more', 'more', 'done', 'done'])
    expect(processedSequences(connection)).toEqual([1, 2, 3])
  })

  test('a step that is awaited takes no more entries, and the next one goes on behind it', async () => {
    await using database = withEntries()
    const connection = database.connect()
    const steps = stepsOn(connection)
    let asked = 0
    expect(steps.run(1000, { msMax: 1000, isAwaited: () => ++asked > 9 })).toBe('more')
    expect(processedSequences(connection)).toEqual(upTo(10))
    expect(steps.run(1000, { msMax: 1000, isAwaited: () => true })).toBe('more')
    expect(processedSequences(connection)).toEqual(upTo(11))
    finish(steps)
    expect(processedSequences(connection)).toEqual(upTo(entryCount))
  })

  test('makes the same of the same ledger whoever runs which step', async () => {
    const expected = await processedAtOnce()
    const turns = fc.array(fc.record({ runner: fc.nat(1), msMax: fc.constantFrom(0, 1) }), { maxLength: 80 })
    await fc.assert(
      fc.asyncProperty(turns, async (taken) => {
        await using database = withEntries()
        const runners = [stepsOn(database.connect()), stepsOn(database.connect())]
        for (const { runner, msMax } of taken) runners[runner]?.run(msMax)
        for (const runner of runners) finish(runner)
        expect(derivedContent(database.reader().raw)).toEqual(expected)
      }),
      { numRuns: 15 },
    )
  })

  test('skips what is left of a removed account', async () => {
    await using database = withEntries()
    const connection = database.connect()
    const steps = stepsOn(connection)
    steps.run(0)
    connection.raw.run('UPDATE account SET removed_at = 1')
    connection.raw.run('INSERT INTO box (id, revision) VALUES (1, 1) ON CONFLICT DO UPDATE SET revision = revision + 1')
    finish(steps)
    expect(processedSequences(connection)).toEqual([1])
    expect(readBacklog(connection)).toMatchObject({ waiting: 0, setAside: { count: 0 } })
  })

  test('a command catches up with what waits, and says what still does when its time is over', async () => {
    await using database = withEntries()
    const processing = new SqliteProcessing(database.connect(), systemClock, () => false)
    expect(await processing.catchUp(0)).toBe(entryCount)
    expect(await processing.catchUp(10_000)).toBe(0)
    expect((await processing.state()).waiting).toBe(0)
  })
})

describe('an entry that cannot be processed', () => {
  const secret = 'ada@acme.example'
  /** An event, in the middle of the first step. */
  const faulty = 26
  const corruptions: [string, (connection: Connection, sequence: number) => void][] = [
    ['is cut off', (at, sequence) => setRecord(at, sequence, `{"source":{"ip":"${secret}`)],
    ['is no object', (at, sequence) => setRecord(at, sequence, `["${secret}"]`)],
    ['is null', (at, sequence) => setRecord(at, sequence, 'null')],
    ['says nothing but that it is a test', (at, sequence) => setRecord(at, sequence, '{"test":true}')],
    ['lacks its source', (at, sequence) => setRecord(at, sequence, `{"deviceId":"${secret}"}`)],
    [
      'is of an unknown kind',
      (at, sequence) => at.raw.run('UPDATE ledger SET kind = 99 WHERE sequence = ?', [sequence]),
    ],
    ['breaks a rule of the database', (at, sequence) => refuseNote(at, sequence, secret)],
    ['breaks one when the step is written', (at, sequence) => refuseFlush(at, sequence, secret)],
  ]

  test.each(corruptions)('because it %s is set aside, and the rest goes on', async (_why, corrupt) => {
    await using database = withEntries()
    const connection = database.connect()
    corrupt(connection, faulty)
    finish(stepsOn(connection))
    expect(setAsideSequences(connection)).toEqual([faulty])
    expect(processedSequences(connection)).toEqual(upTo(entryCount, [faulty]))
  })

  test.each(corruptions)('because it %s leaves a reason that quotes nothing of it', async (_why, corrupt) => {
    await using database = withEntries()
    const connection = database.connect()
    corrupt(connection, faulty)
    finish(stepsOn(connection))
    const { latest } = readBacklog(connection).setAside
    expect(latest?.reason).toMatch(/^\w+( in [\w.$#<> ]+ \([\w./-]+\.ts:\d+\))?$/)
    expect(latest?.reason).not.toContain('ada@')
  })

  test('may be one of many, wherever they stand', async () => {
    const anywhere = fc.uniqueArray(fc.integer({ min: 1, max: entryCount }), { maxLength: entryCount })
    await fc.assert(
      fc.asyncProperty(anywhere, fc.constantFrom(0, 1, 1000), async (sequences, msMax) => {
        await using database = withEntries()
        const connection = database.connect()
        const places = sequences.sort((one, other) => one - other)
        for (const sequence of places) setRecord(connection, sequence, 'null')
        finish(stepsOn(connection), msMax)
        expect(setAsideSequences(connection)).toEqual(places)
        expect(processedSequences(connection)).toEqual(upTo(entryCount, places))
      }),
      { numRuns: 15 },
    )
  })

  test('leaves the others as if it had never been', async () => {
    const contentsWith = async (isFaulty: boolean) => {
      await using database = withEntries()
      const connection = database.connect()
      if (isFaulty) setRecord(connection, faulty, 'null')
      else connection.raw.run('DELETE FROM ledger WHERE sequence = ?', [faulty])
      finish(stepsOn(connection))
      const { set_aside: _faulty, ...rest } = derivedContent(connection.raw)
      return rest
    }
    expect(await contentsWith(true)).toEqual(await contentsWith(false))
  })
})

describe('an entry that is no record any more after it was processed', () => {
  const storeAndFinish = (database: TemporaryDatabase, connection: Connection, ...entries: Entry[]) => {
    storeEntries(database.file, entries)
    finish(stepsOn(connection))
  }
  const at = pageView().receivedAt

  test('is no fault of a submission that looks for the page it came from', async () => {
    await using database = new TemporaryDatabase()
    database.addAccount('account-a')
    const connection = database.connect()
    storeAndFinish(database, connection, pageView({ id: 'view-1' }), pageView({ id: 'view-2', receivedAt: at + 9 }))
    setRecord(connection, 1, '{')
    storeAndFinish(database, connection, submission({ receivedAt: at + 5 }))
    expect(setAsideSequences(connection)).toEqual([])
    expect(numbers(connection, 'SELECT sequence AS n FROM submission_fact')).toEqual([3])
  })

  test.each(['{', '[]'])('(%s) is no fault of a view that shows life after a click', async (record) => {
    await using database = new TemporaryDatabase()
    database.addAccount('account-a')
    const connection = database.connect()
    storeAndFinish(database, connection, click())
    setRecord(connection, 1, record)
    storeAndFinish(database, connection, pageView({ receivedAt: at + 5, source: { ...source, userAgent: browser } }))
    expect(setAsideSequences(connection)).toEqual([])
    expect(numbers(connection, 'SELECT life_at AS n FROM click_fact')).toEqual([at + 5])
  })
})

describe('a disk that is full', () => {
  test('fails the step, which changes nothing, and is no fault of an entry', async () => {
    await using database = withEntries(2000)
    const connection = database.connect()
    const steps = stepsOn(connection)
    steps.run(0)
    const before = derivedContent(connection.raw)
    const { raw } = connection
    const { page_count: pages } = raw.query<{ page_count: number }, []>('PRAGMA page_count').get() ?? { page_count: 0 }
    raw.run(`PRAGMA max_page_count = ${pages}`)
    expect(() => finish(steps)).toThrow('database or disk is full')
    expect(derivedContent(connection.raw)).toEqual(before)
    raw.run(`PRAGMA max_page_count = ${pages * 100}`)
    finish(steps)
    expect(processedSequences(connection)).toEqual(upTo(2000))
    expect(setAsideSequences(connection)).toEqual([])
  })
})

function setRecord({ raw }: Connection, sequence: number, record: string): void {
  raw.run('UPDATE ledger SET record = ? WHERE sequence = ?', [record, sequence])
}

const refuseNote = ({ raw }: Connection, sequence: number, words: string) =>
  raw.run(
    `CREATE TRIGGER refuse BEFORE INSERT ON device_entry WHEN NEW.sequence = ${sequence}
     BEGIN SELECT RAISE(ABORT, '${words}'); END`,
  )

/** The last statement of a step stands for all that are kept until then. */
const refuseFlush = ({ raw }: Connection, sequence: number, words: string) =>
  raw.run(
    `CREATE TRIGGER refuse BEFORE UPDATE ON processing
     WHEN EXISTS (SELECT 1 FROM device_entry WHERE sequence = ${sequence})
     BEGIN SELECT RAISE(ABORT, '${words}'); END`,
  )

test('a command beside a server leaves processing to it, unless it stands still for two seconds', async () => {
  await using database = withEntries()
  const connection = database.connect()
  let nowMs = 0
  const clock = { now: () => systemClock.now(), monotonicMs: () => nowMs++ }
  const command = new SqliteProcessing(connection, clock, () => true)
  expect(await command.catchUp(50)).toBe(entryCount)
  nowMs += 2000
  expect(await command.catchUp(1000)).toBe(0)
})

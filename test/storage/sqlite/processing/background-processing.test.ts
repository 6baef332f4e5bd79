import { expect, test } from 'bun:test'
import { systemClock } from '../../../../src/lib/clock.ts'
import { ClockWatch } from '../../../../src/storage/sqlite/forgetting/clock-watch.ts'
import { BackgroundProcessing } from '../../../../src/storage/sqlite/steps/background-processing.ts'
import { readBacklog } from '../../../../src/storage/sqlite/steps/processing.ts'
import { pageView } from '../../../report/sample-entries.ts'
import { mixedEntry, storeEntries } from '../stored-entries.ts'
import { TemporaryDatabase } from '../temporary-database.ts'

function opened() {
  const database = new TemporaryDatabase()
  database.addAccount('account-a')
  storeEntries(database.file, [mixedEntry('account-a', 0)])
  const processing = new BackgroundProcessing(database.file, systemClock, () => {})
  database.onClose(() => processing.close())
  return { database, processing, observer: database.connect() }
}

test('goes on over a new connection after a failure', async () => {
  const { database, processing, observer } = opened()
  await using _database = database
  observer.raw.run('BEGIN IMMEDIATE')
  observer.raw.run('ALTER TABLE processing RENAME TO gone')
  observer.raw.run('COMMIT')
  expect(() => processing.run(10)).toThrow('no such table')
  observer.raw.run('ALTER TABLE gone RENAME TO processing')
  while (processing.run(10) === 'more');
  expect(readBacklog(observer)).toMatchObject({ waiting: 0, setAside: { count: 0 } })
})

test('tells when another connection has written, and not of its own steps', async () => {
  const { database, processing } = opened()
  await using _database = database
  processing.othersWrote()
  while (processing.run(10) === 'more');
  expect(processing.othersWrote()).toBe(false)
  storeEntries(database.file, [mixedEntry('account-a', 1)])
  expect([processing.othersWrote(), processing.othersWrote()]).toEqual([true, false])
})

test('begins no sweep of what is kept no longer anew after a failure', async () => {
  const { database, processing, observer } = opened()
  await using _database = database
  new ClockWatch(observer).trust(systemClock.now())
  const longAgo = [mixedEntry('account-a', 1), mixedEntry('account-a', 8)].map((entry) => ({ ...entry, receivedAt: 1 }))
  storeEntries(database.file, longAgo.slice(0, 1))
  while (processing.run(10) === 'more');
  const ids = () => observer.raw.query('SELECT id FROM ledger ORDER BY sequence').values().flat()
  expect(ids()).toEqual(['entry-0'])
  storeEntries(database.file, longAgo.slice(1))
  observer.raw.run('ALTER TABLE processing RENAME TO gone')
  expect(() => processing.run(10)).toThrow('no such table')
  observer.raw.run('ALTER TABLE gone RENAME TO processing')
  while (processing.run(10) === 'more');
  expect(ids()).toEqual(['entry-0', 'entry-8'])
})

test('deletes what is kept no longer though records never stop waiting, one step in four, when it has waited for hours', async () => {
  const database = new TemporaryDatabase()
  await using _database = database
  database.addAccount('account-a')
  const observer = database.connect()
  observer.raw.run(`UPDATE account SET settings = json_set(settings, '$.retention', json('{"eventsDays":1}'))`)
  const later = Date.UTC(2026, 10, 20)
  let monotonicMs = 0
  const clock = { now: () => later, monotonicMs: () => monotonicMs }
  const processing = new BackgroundProcessing(database.file, clock, () => {})
  database.onClose(() => processing.close())
  const waiting = Array.from({ length: 100 }, (_, n) => pageView({ id: `late-${n}`, receivedAt: later + n }))
  storeEntries(database.file, [pageView({ id: 'early', receivedAt: 1 }), ...waiting])
  const waits = () => readBacklog(observer).waiting
  const hasEarly = () => observer.raw.query(`SELECT 1 FROM ledger WHERE id = 'early'`).get() !== null
  const steps = (count: number) => {
    const before = waits()
    for (let step = 0; step < count; step++) expect(processing.run(0)).toBe('more')
    return before - waits()
  }
  expect({ processed: steps(20), hasEarly: hasEarly() }).toEqual({ processed: 20, hasEarly: true })
  monotonicMs += 3 * 3_600_000
  expect({ processed: steps(4), hasEarly: hasEarly() }).toEqual({ processed: 3, hasEarly: true })
  expect(steps(60)).toBeGreaterThanOrEqual(45)
  expect({ hasEarly: hasEarly(), waits: waits() > 0 }).toEqual({ hasEarly: false, waits: true })
  expect(steps(8)).toBe(8)
})

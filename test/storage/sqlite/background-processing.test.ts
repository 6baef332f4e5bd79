import { expect, test } from 'bun:test'
import { systemClock } from '../../../src/lib/clock.ts'
import type { Connection } from '../../../src/storage/sqlite/connection.ts'
import { BackgroundProcessing } from '../../../src/storage/sqlite/processing/background-processing.ts'
import { readBacklog } from '../../../src/storage/sqlite/processing/backlog.ts'
import { mixedEntry, storeEntries } from './stored-entries.ts'
import { TemporaryDatabase } from './temporary-database.ts'

function opened() {
  const database = new TemporaryDatabase()
  database.addAccount('account-a')
  storeEntries(database.file, [mixedEntry('account-a', 0)])
  const processing = new BackgroundProcessing(database.file, systemClock, () => {})
  database.onClose(() => processing.close())
  return { database, processing, observer: database.connect() }
}

/** Changes with every commit of somebody else. */
const dataVersion = ({ raw }: Connection) => raw.query('PRAGMA data_version').values()[0]?.[0]

test('waits for the disk when something was processed, and only then', async () => {
  const { database, processing, observer } = opened()
  await using _database = database
  processing.run(10)
  const versions = [dataVersion(observer)]
  for (let sync = 0; sync < 3; sync++) {
    processing.sync()
    versions.push(dataVersion(observer))
  }
  expect(new Set(versions).size).toBe(2)
  expect(versions[1]).toBe(versions[3])
})

test('goes on over a new connection after a failure', async () => {
  const { database, processing, observer } = opened()
  await using _database = database
  observer.raw.run('BEGIN IMMEDIATE')
  observer.raw.run('ALTER TABLE processing RENAME TO gone')
  observer.raw.run('COMMIT')
  expect(() => processing.run(10)).toThrow('no such table')
  observer.raw.run('ALTER TABLE gone RENAME TO processing')
  expect(processing.run(10)).toBe('done')
  expect(readBacklog(observer)).toMatchObject({ waiting: 0, setAside: { count: 0 } })
})

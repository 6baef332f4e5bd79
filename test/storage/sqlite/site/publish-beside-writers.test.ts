// No command holds the write lock longer than 20 ms (docs/architecture.md). Others must find it free within a few looks.
import { expect, spyOn, test } from 'bun:test'
import { systemClock } from '../../../../src/lib/clock.ts'
import { SqliteSiteStore } from '../../../../src/storage/sqlite/site/site-store.ts'
import { anAsset, publication } from '../../../contract/opened-accounts.ts'
import { TemporaryDatabase } from '../temporary-database.ts'

const assetCount = 500
/** Each of them takes a millisecond by the test's clock. */
const assetsPerStepMax = 10

test('a writer finds its turn after each step of a large publish', async () => {
  await using database = new TemporaryDatabase()
  const writer = database.connect().raw
  writer.run('PRAGMA busy_timeout = 0')
  const taken = { steps: 0, turns: 0 }
  let isPublished = false
  const takeTurn = () => {
    if (isPublished) return
    writer.run('BEGIN IMMEDIATE')
    writer.run('ROLLBACK')
    taken.turns++
  }
  let nowMs = 0
  using _clock = spyOn(systemClock, 'monotonicMs').mockImplementation(() => nowMs++)
  const assets = Array.from({ length: assetCount }, (_, i) => anAsset(`p${i}`, `page ${i}`))
  await new SqliteSiteStore(database.connect(), database.dir).publish(publication('acme', { assets }), () => {
    taken.steps++
    setTimeout(takeTurn)
  })
  isPublished = true
  expect(taken.steps).toBeGreaterThanOrEqual(assetCount / assetsPerStepMax)
  expect(taken.turns).toBe(taken.steps)
})

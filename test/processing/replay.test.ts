// Everything follows from the ledger (docs/decisions/0040): folded again in an empty box, it gives the same box.

import type { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { LedgerEntry } from '../../src/ledger/decision.ts'
import { ProcessingSteps } from '../../src/storage/sqlite/steps/step.ts'
import { submission } from '../report/sample-entries.ts'
import { derivedContent, storeEntries } from '../storage/sqlite/stored-entries.ts'
import { TemporaryDatabase } from '../storage/sqlite/temporary-database.ts'
import { collision } from './a-collision.ts'
import { sampleGoals } from './goals/sample-goals.ts'
import { ProcessedBox } from './person/processed-box.ts'

const accountIds = ['account-a', 'account-b']

/** All that processing has made, ids and rows' numbers included. */
function everything(raw: Database): Record<string, string[]> {
  const tables = Object.keys(derivedContent(raw))
  return Object.fromEntries(
    tables.map((table) => [
      table,
      raw
        .query(`SELECT * FROM "${table}"`)
        .all()
        .map((row) => JSON.stringify(row))
        .sort(),
    ]),
  )
}

/** @param stepMs milliseconds of a clock that goes on by one with each look: about so many entries */
async function boxOf(entries: readonly LedgerEntry[], stepMs: number): Promise<Record<string, string[]>> {
  await using database = new TemporaryDatabase()
  for (const id of accountIds) database.addAccount(id, 'UTC', sampleGoals)
  storeEntries(database.file, entries)
  let looks = 0
  const connection = database.connect()
  const steps = new ProcessingSteps(connection, { now: () => 0, monotonicMs: () => looks++ })
  while (steps.run(stepMs) === 'more');
  return everything(connection.raw)
}

test('a ledger that is processed again in an empty box makes the same, ids included', async () => {
  await fc.assert(
    fc.asyncProperty(collision, fc.integer({ min: 0, max: 50 }), async (entries, stepMs) => {
      expect(await boxOf(entries, stepMs)).toEqual(await boxOf(entries, 1000))
    }),
    { numRuns: 20 },
  )
})

test('a person who comes back once all their records have gone is another one', async () => {
  await using box = new ProcessedBox()
  box.addAccount('account-a')
  box.capture(submission({ id: 'first' }))
  const before = await box.person('ada@acme.example')
  for (const table of ['ledger', 'device_entry', 'device_tie', 'submission_fact', 'person'])
    box.run(`DELETE FROM ${table}`)
  box.capture(submission({ id: 'second' }))
  expect((await box.person('ada@acme.example')).id).not.toBe(before.id)
})

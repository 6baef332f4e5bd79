import { Database } from 'bun:sqlite'
import { cpSync, existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { sealKeyFile } from '../../src/storage/disk/seal-key-file.ts'
import { openConnection } from '../../src/storage/sqlite/database/connection.ts'
import { applyMigrations, readMigrations } from '../../src/storage/sqlite/database/migrations.ts'
import { ProcessingSteps } from '../../src/storage/sqlite/steps/step.ts'

/** What a second box is fed with: the configuration, the keys, and the ledger. Counts of refusals and of missing addresses are in no ledger. */
const fed = [
  'box',
  'account',
  'domain',
  'form',
  'goal_since',
  'tracking_key',
  'signing_key',
  'asset',
  'asset_version',
  'refusal_count',
  'missing_count',
  'ledger',
]

/** Makes the database of an empty box, and feeds it with another one's ledger: nothing of it is processed yet. */
export function replayLedger(from: string, into: string): void {
  mkdirSync(dirname(into), { recursive: true })
  if (existsSync(sealKeyFile(from))) cpSync(sealKeyFile(from), sealKeyFile(into))
  const connection = openConnection(into)
  applyMigrations(connection, readMigrations())
  const { raw } = connection
  raw.run('ATTACH ? AS fed', [from])
  raw
    .transaction(() => {
      for (const table of fed) {
        raw.run(`DELETE FROM main.${table}`)
        raw.run(`INSERT INTO main.${table} SELECT * FROM fed.${table} ORDER BY rowid`)
      }
      raw.run('INSERT INTO receipt_hour SELECT received_at / 3600000, min(sequence) FROM main.ledger GROUP BY 1')
    })
    .immediate()
  raw.close()
}

/** Processes all that waits, in steps of about so many entries: of a clock that goes on by one with each look. */
export function processAll(file: string, entriesPerStep: number): void {
  const connection = openConnection(file)
  let looks = 0
  const steps = new ProcessingSteps(connection, { now: () => 0, monotonicMs: () => looks++ })
  while (steps.run(entriesPerStep) === 'more');
  connection.raw.close()
}

/** How many entries of each kind there are. */
export function kindsIn(file: string): Record<number, number> {
  using database = new Database(file, { readonly: true, strict: true })
  const rows = database.query<{ kind: number; count: number }, []>(
    'SELECT kind, count(*) AS count FROM ledger GROUP BY kind',
  )
  return Object.fromEntries(rows.all().map(({ kind, count }) => [kind, count]))
}

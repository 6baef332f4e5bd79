// The ledger is right whenever an erasure is killed: it holds a record, or names it as erased, and never neither.
import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { builtExecutable } from '../harness/executable.ts'
import { submission } from '../report/sample-entries.ts'
import { storeEntries } from '../storage/sqlite/stored-entries.ts'
import { ADataFolder } from './a-data-folder.ts'

const email = 'ada@customer.example'
/** So many that an erasure takes many steps. */
const records = 4000
const beginsMsMax = 60_000

/** Ids that entries about erasures name. */
const named = `(SELECT value AS record_id FROM ledger, json_each(record, '$.records') WHERE kind = 6)`

const numberOf = (database: Database, query: string): number =>
  database.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${query}`).get()?.n ?? -1

test('a killed erasure has noted what it took, and is finished as the same one', async () => {
  using folder = await ADataFolder.with()
  const { id: accountId } = await folder.json(['account', 'show', 'acme'])
  const of = { accountId: String(accountId), deviceId: null, email, fields: { email } }
  const file = join(folder.dataDir, 'capture.db')
  storeEntries(
    file,
    Array.from({ length: records }, (_, number) => submission({ ...of, id: `lead-${number}` })),
  )
  using database = new Database(file, { readonly: true, strict: true })
  const erase = ['person', 'erase', 'acme', email, '--yes']
  const child = Bun.spawn([await builtExecutable(), ...erase], { cwd: folder.dir, stdout: 'ignore', stderr: 'ignore' })
  const deadline = performance.now() + beginsMsMax
  while (numberOf(database, named) === 0) {
    if (performance.now() > deadline) throw new Error('the erasure did not begin')
    await Bun.sleep(1)
  }
  child.kill('SIGKILL')
  await child.exited
  expect(child.signalCode).toBe('SIGKILL')
  const taken = numberOf(database, named)
  expect(taken).toBeLessThan(records)
  expect(taken + numberOf(database, 'ledger WHERE kind = 1')).toBe(records)
  expect(numberOf(database, `${named} JOIN ledger ON ledger.id = record_id`)).toBe(0)
  await folder.done(erase)
  expect(numberOf(database, named)).toBe(records)
  expect(numberOf(database, `ledger WHERE kind = 6 AND record ->> 'isEnd'`)).toBe(1)
  expect(numberOf(database, `(SELECT DISTINCT record ->> 'erasureId' FROM ledger WHERE kind = 6)`)).toBe(1)
}, 120_000)

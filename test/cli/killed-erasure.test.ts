// The log of erasures is right whenever an erasure is killed: a record is in the ledger or in the log, never in neither.
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
  while (numberOf(database, 'erased_record') === 0) {
    if (performance.now() > deadline) throw new Error('the erasure did not begin')
    await Bun.sleep(1)
  }
  child.kill('SIGKILL')
  await child.exited
  expect(child.signalCode).toBe('SIGKILL')
  const taken = numberOf(database, 'erased_record')
  expect(taken).toBeLessThan(records)
  expect(taken + numberOf(database, 'ledger')).toBe(records)
  expect(numberOf(database, 'erased_record JOIN ledger ON ledger.id = record_id')).toBe(0)
  await folder.done(erase)
  expect(numberOf(database, 'erased_record')).toBe(records)
  expect(numberOf(database, 'erasure WHERE ended_at IS NOT NULL')).toBe(1)
  expect(numberOf(database, 'erasure')).toBe(1)
}, 120_000)

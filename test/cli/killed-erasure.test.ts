// The ledger is right whenever an erasure is killed: it holds a record, or names it as erased, and never neither.
import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { eventually } from '../harness/eventually.ts'
import { builtExecutable } from '../harness/executable.ts'
import { released, submission } from '../report/sample-entries.ts'
import { storeEntries } from '../storage/sqlite/stored-entries.ts'
import { ADataFolder } from './a-data-folder.ts'

const email = 'ada@customer.example'
/** So many that an erasure takes many steps. */
const records = 4000
const releasedOneIn = 10
const kills = 4

/** Ids that entries about erasures name. */
const named = `(SELECT value AS record_id FROM ledger, json_each(record, '$.records') WHERE kind = 6)`

const numberOf = (database: Database, query: string): number =>
  database.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${query}`).get()?.n ?? -1

test('an erasure that is killed again and again has noted what it took, and is finished as the same one', async () => {
  using folder = await ADataFolder.with()
  const { id } = await folder.json(['account', 'show', 'acme'])
  const accountId = String(id)
  const of = { accountId, deviceId: null, email, fields: { email } }
  const file = join(folder.dataDir, 'capture.db')
  const refused = { status: 'refused', refusedFor: 'honeypot' } as const
  const leads = Array.from({ length: records }, (_, number) =>
    submission({ ...of, id: `lead-${number}`, ...(number % releasedOneIn === 0 ? refused : {}) }),
  )
  const releases = leads.flatMap(({ id, status }) =>
    status === 'refused' ? [{ ...released(id, Date.now()), accountId }] : [],
  )
  storeEntries(file, [...leads, ...releases])
  await folder.done(['report', 'acme'])
  using database = new Database(file, { readonly: true, strict: true })
  const erase = ['person', 'erase', 'acme', email, '--yes']
  for (let kill = 0; kill < kills; kill++) {
    const before = numberOf(database, named)
    const argv = [await builtExecutable(), ...erase]
    const child = Bun.spawn(argv, { cwd: folder.dir, stdout: 'ignore', stderr: 'ignore' })
    await eventually('the erasure goes on', async () => {
      const hasEnded = child.exitCode !== null
      return numberOf(database, named) > before || hasEnded
    })
    child.kill('SIGKILL')
    await child.exited
    expect(numberOf(database, named) + numberOf(database, 'ledger WHERE kind = 1')).toBe(records)
    expect(numberOf(database, `${named} JOIN ledger ON ledger.id = record_id`)).toBe(0)
    // Where this process was held up, the erasure may have come to its end.
    if (numberOf(database, named) === records) break
  }
  await folder.done(erase)
  expect(numberOf(database, named)).toBe(records)
  expect(numberOf(database, 'ledger WHERE kind <> 6')).toBe(0)
  expect(numberOf(database, `ledger WHERE kind = 6 AND record ->> 'isEnd'`)).toBe(1)
  expect(numberOf(database, `(SELECT DISTINCT record ->> 'erasureId' FROM ledger WHERE kind = 6)`)).toBe(1)
})

// What is wrong with a database, and what to do, is the same from whoever meets it first.

import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { closeSync, mkdirSync, openSync, rmSync, truncateSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { ADataFolder } from './a-data-folder.ts'

/** Overwrites the page where the table begins. */
function breakTable(file: string, table: string): void {
  const database = new Database(file)
  const page = database
    .query<{ rootpage: number }, [string]>('SELECT rootpage FROM sqlite_schema WHERE name = ?')
    .get(table)?.rootpage
  database.close()
  const bytes = Buffer.alloc(4096, 0x41)
  const handle = openSync(file, 'r+')
  writeSync(handle, bytes, 0, bytes.length, ((page ?? 0) - 1) * 4096)
  closeSync(handle)
}

const faults: [what: string, breakIt: (file: string) => void][] = [
  ['no database', (file) => writeFileSync(file, 'no database at all, but text')],
  ['cut off', (file) => truncateSync(file, 20_000)],
  ['damaged where accounts are', (file) => breakTable(file, 'account')],
  ['damaged where signing keys are', (file) => breakTable(file, 'signing_key')],
]

test.each(faults)('serve says of a database that is %s what doctor says', async (_what, breakIt) => {
  using folder = await ADataFolder.with()
  const file = join(folder.dataDir, 'capture.db')
  for (const suffix of ['-wal', '-shm']) rmSync(file + suffix, { force: true })
  breakIt(file)
  const { checks } = JSON.parse((await folder.run(['doctor', '--json'])).stdout)
  const { found, advice } = checks.find(({ check }: { check: string }) => check === 'database')
  const { status, stderr } = await folder.run(['serve'])
  expect([status, stderr]).toEqual([1, `${found} ${advice}\n`])
})

test.each(faults.slice(0, 2))(
  'an export is not advised for a database that is %s: it prints nothing either',
  async (_what, breakIt) => {
    using folder = await ADataFolder.with()
    const file = join(folder.dataDir, 'capture.db')
    for (const suffix of ['-wal', '-shm']) rmSync(file + suffix, { force: true })
    breakIt(file)
    const { status, stdout, stderr } = await folder.run(['export', 'acme', 'submissions'])
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toContain('capture restore FILE')
    expect(stderr).not.toContain('capture export')
  },
)

test('an export is not advised for a database that is gone', async () => {
  using folder = await ADataFolder.with()
  mkdirSync(join(folder.dataDir, 'assets'), { recursive: true })
  for (const suffix of ['', '-wal', '-shm']) rmSync(join(folder.dataDir, `capture.db${suffix}`), { force: true })
  const { stdout } = await folder.run(['doctor'])
  expect(stdout).toContain('It is gone')
  expect(stdout).not.toContain('capture export')
})

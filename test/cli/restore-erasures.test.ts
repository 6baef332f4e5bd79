// docs/backup-and-restore.md: an erasure holds in a restore. What was erased after the backup is erased again as a part of it.

import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Entry } from '../../src/ledger/entry.ts'
import { aSite } from '../harness/a-site.ts'
import { builtExecutable } from '../harness/executable.ts'
import { LaterVersion } from '../harness/later-version.ts'
import { pageView, submission, trackedEvent } from '../report/sample-entries.ts'
import { storeEntries } from '../storage/sqlite/stored-entries.ts'
import { ADataFolder } from './a-data-folder.ts'

const ada = 'ada@customer.example'
const ben = 'ben@customer.example'
const backup = 'box.backup'
const databaseFile = (folder: ADataFolder) => join(folder.dataDir, 'capture.db')

const lead = (id: string, email: string) => submission({ id, email, deviceId: null, fields: { email } })

async function capture(folder: ADataFolder, ...entries: Entry[]): Promise<void> {
  const { id } = await folder.json(['account', 'show', 'acme'])
  storeEntries(
    databaseFile(folder),
    entries.map((entry) => ({ ...entry, accountId: String(id) })),
  )
}

/** A box with leads of two persons and their backup. */
async function backedUp(...more: Entry[]): Promise<ADataFolder> {
  const folder = await ADataFolder.with()
  await capture(folder, lead('lead-1', ada), lead('lead-2', ben), ...more)
  await folder.done(['backup', backup])
  return folder
}

const erase = (folder: ADataFolder, email: string) => folder.done(['person', 'erase', 'acme', email, '--yes'])

/** All text of the data folder's database files. */
const bytesOf = (dataDir: string): string =>
  readdirSync(dataDir)
    .filter((name) => name.startsWith('capture.db'))
    .map((name) => readFileSync(join(dataDir, name), 'latin1'))
    .join('')

test('whoever was erased after the backup is erased again, to the last byte, and others are back', async () => {
  using folder = await backedUp()
  await erase(folder, ada)
  const { stdout } = await folder.done(['restore', backup])
  expect(stdout).toContain('1 erasure came after the backup and was repeated: 1 record erased again.')
  expect((await folder.done(['export', 'acme', 'submissions'])).stdout).toContain('lead-2')
  expect(bytesOf(folder.dataDir)).not.toContain(ada)
  expect((await folder.done(['doctor', '--strict'])).stdout).not.toContain('erased')
})

test('everything that the person’s devices recorded goes again, as in the erasure itself', async () => {
  const device = 'device-of-ada'
  using folder = await backedUp(
    submission({ id: 'lead-3', email: ada, deviceId: device, fields: { email: ada } }),
    trackedEvent({ id: 'event-1', deviceId: device }),
    pageView({ id: 'view-1', deviceId: device }),
  )
  await erase(folder, ada)
  expect(await folder.json(['restore', backup])).toMatchObject({
    erasedAgain: { erasures: 1, records: 4, verified: true },
  })
  expect((await folder.done(['export', 'acme', 'events'])).stdout).not.toContain('event-1')
})

test('devices that could not be derived again without the erased records are reported, then and by doctor', async () => {
  const deviceId = 'device-of-both'
  using folder = await ADataFolder.with()
  const shared = (id: string, email: string) => submission({ id, email, deviceId, fields: { email } })
  await capture(folder, shared('lead-1', ada), shared('lead-2', ben))
  await folder.done(['person', 'show', 'acme', ben])
  using database = new Database(databaseFile(folder))
  database.run(`UPDATE submission_fact SET versions = '7' WHERE id = 'lead-2'`)
  await folder.done(['backup', backup])
  expect((await folder.run(['person', 'erase', 'acme', ada, '--yes'])).status).toBe(1)
  database.close()
  const { stdout } = await folder.done(['restore', backup])
  expect(stdout).toContain('1 device of other people could not be derived again without the erased records')
  const doctor = await folder.done(['doctor'])
  expect(doctor.stdout).toContain('1 device of The acme studio could not be derived again without removed records: ')
  expect(doctor.stdout).toContain('capture person erase acme EMAIL --yes')
})

test('records that belonged to nobody known go again by their ids', async () => {
  const refused = { status: 'refused', refusedFor: 'honeypot' } as const
  using folder = await backedUp(
    submission({ ...refused, id: 'refused-1', email: null, deviceId: null, fields: { note: 'cy@customer.example' } }),
  )
  await erase(folder, 'cy@customer.example')
  expect(await folder.json(['restore', backup])).toMatchObject({ erasedAgain: { erasures: 1, records: 1 } })
  expect(bytesOf(folder.dataDir)).not.toContain('cy@customer.example')
})

test('a submission that was removed alone goes again alone', async () => {
  using folder = await backedUp(lead('lead-3', ada))
  await folder.done(['submission', 'remove', 'acme', 'lead-3'])
  expect(await folder.json(['restore', backup])).toMatchObject({ erasedAgain: { erasures: 1, records: 1 } })
  const { stdout } = await folder.done(['export', 'acme', 'submissions'])
  expect([stdout.includes('lead-1'), stdout.includes('lead-3')]).toEqual([true, false])
  expect((await folder.done(['export', 'acme', 'persons'])).stdout).toContain(ada)
})

test('a refusal after the backup is undone, and named', async () => {
  using folder = await backedUp()
  await folder.done(['submission', 'refuse', 'acme', 'lead-1'])
  expect(await folder.json(['restore', backup])).toMatchObject({
    undone: { releases: [], refusals: [{ account: 'acme', submissionId: 'lead-1' }] },
  })
})

test('a person who came back after an erasure that the backup knows stays', async () => {
  using folder = await backedUp()
  await erase(folder, ada)
  await capture(folder, lead('lead-3', ada))
  await folder.done(['backup', 'later.backup'])
  await folder.done(['restore', backup])
  expect(await folder.json(['restore', 'later.backup'])).toMatchObject({ erasedAgain: { records: 0 } })
  expect((await folder.done(['export', 'acme', 'submissions'])).stdout).toContain('lead-3')
})

test('a second restore of the same backup still knows the erasure, and counts it once', async () => {
  using folder = await backedUp()
  await erase(folder, ada)
  await folder.done(['restore', backup])
  expect(await folder.json(['restore', backup])).toMatchObject({ erasedAgain: { erasures: 1, records: 1 } })
})

test('an erasure before the backup is one that it knows', async () => {
  using folder = await ADataFolder.with()
  await capture(folder, lead('lead-1', ada))
  await erase(folder, ada)
  await folder.done(['backup', backup])
  expect((await folder.done(['restore', backup])).stdout).toContain('No erasure came after the backup.')
})

test('an erasure in an account that is younger than one backup still holds when a later one is restored', async () => {
  using folder = await backedUp()
  await folder.apply(aSite({ account: 'umbra' }))
  const { id } = await folder.json(['account', 'show', 'umbra'])
  storeEntries(databaseFile(folder), [{ ...lead('lead-3', ada), accountId: String(id) }])
  await folder.done(['backup', 'later.backup'])
  await folder.done(['person', 'erase', 'umbra', ada, '--yes'])
  await folder.done(['restore', backup])
  expect((await folder.json(['account', 'list'])).accounts).toMatchObject([{ account: 'acme' }])
  expect((await folder.done(['doctor'])).stdout).not.toContain('removal')
  expect(await folder.json(['restore', 'later.backup'])).toMatchObject({
    undone: { removedAccounts: [] },
    erasedAgain: { erasures: 1, records: 1 },
  })
})

test('an erasure in an account that was removed since holds, though the account is back', async () => {
  using folder = await backedUp()
  await erase(folder, ada)
  await folder.done(['account', 'remove', 'acme', '--yes'])
  expect(await folder.json(['restore', backup])).toMatchObject({
    undone: { removedAccounts: ['acme'] },
    erasedAgain: { erasures: 1, records: 1 },
  })
  expect(bytesOf(folder.dataDir)).not.toContain(ada)
})

test('where the folder is gone, the log of the one that the latest restore moved aside counts', async () => {
  using folder = await backedUp()
  await erase(folder, ada)
  await folder.done(['restore', backup])
  rmSync(folder.dataDir, { recursive: true })
  expect(await folder.json(['restore', backup])).toMatchObject({ erasedAgain: { erasures: 1, records: 1 } })
})

test('where there is no log, one sentence says that erased people are back', async () => {
  using folder = await backedUp()
  await erase(folder, ada)
  rmSync(folder.dataDir, { recursive: true })
  const { stdout } = await folder.done(['restore', backup])
  expect(stdout).toContain(
    `Erasures after the backup could not be repeated, because there was no box in ${folder.dataDir} to compare with: people who were erased since are back; erase them again with capture person erase ACCOUNT EMAIL --yes\n`,
  )
})

test('an erasure after an upgrade holds when the snapshot before it is restored', async () => {
  using folder = await ADataFolder.with()
  await capture(folder, lead('lead-1', ada), lead('lead-2', ben))
  const later = LaterVersion.make(folder.path('later'), ['CREATE TABLE later (a integer)'])
  expect((await later.run(['person', 'erase', 'acme', ada, '--yes'], folder.dir)).status).toBe(0)
  const dir = join(folder.dataDir, 'snapshots')
  const snapshot = join(dir, readdirSync(dir).find((name) => name.endsWith('.db')) ?? 'none')
  expect(await folder.json(['restore', snapshot])).toMatchObject({
    from: 'snapshot',
    erasedAgain: { erasures: 1, records: 1, verified: true },
  })
  expect((await folder.done(['export', 'acme', 'submissions'])).stdout).toContain('lead-2')
  expect(bytesOf(folder.dataDir)).not.toContain(ada)
})

const manyLeads = 4000
/** The exit status of a process that SIGKILL has ended. */
const killed = 137

test('a restore that is killed while it erases leaves the folder as it was, and the next one finishes', async () => {
  const leads = Array.from({ length: manyLeads }, (_, number) => lead(`many-${number}`, ada))
  using folder = await backedUp(...leads)
  await erase(folder, ada)
  const argv = [await builtExecutable(), 'restore', backup]
  const staged = () => readdirSync(folder.dir).find((name) => name.startsWith(`${basename(folder.dataDir)}.restoring-`))
  let status = 0
  // Where this process is held up, the restore comes to its end before it is killed.
  while (status === 0) {
    const child = Bun.spawn(argv, { cwd: folder.dir, stdout: 'ignore', stderr: 'ignore' })
    while (child.exitCode === null && !hasErased(folder.path(staged() ?? 'none'))) await Bun.sleep(1)
    child.kill('SIGKILL')
    status = await child.exited
  }
  expect(status).toBe(killed)
  expect(staged()).toBeDefined()
  expect(bytesOf(folder.dataDir)).not.toContain(ada)
  expect((await folder.done(['export', 'acme', 'submissions'])).stdout).toContain('lead-2')
  expect(await folder.json(['restore', backup])).toMatchObject({
    erasedAgain: { erasures: 1, records: manyLeads + 1, verified: true },
  })
  expect(staged()).toBeUndefined()
  expect(bytesOf(folder.dataDir)).not.toContain(ada)
})

/** Whether some of the records in the staged folder are gone, read from a copy: the files are in use. */
function hasErased(staged: string): boolean {
  const copy = `${staged}.copy`
  try {
    cpSync(staged, copy, { recursive: true })
    using database = new Database(join(copy, 'capture.db'), { strict: true })
    const gone = database.query<{ n: number }, []>('SELECT count(*) AS n FROM ledger WHERE kind = 1').get()?.n ?? 0
    return gone > 0 && gone < manyLeads
  } catch {
    return false
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

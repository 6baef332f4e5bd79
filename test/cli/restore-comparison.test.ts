// A restore undoes what came after the backup, and says how much: records that go aside, and removals that it takes
// back (docs/backup-and-restore.md).

import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Entry } from '../../src/ledger/entry.ts'
import { aSite } from '../harness/a-site.ts'
import { click, pageView, submission, trackedEvent } from '../report/sample-entries.ts'
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

/** A box with two leads and their backup. */
async function backedUp(): Promise<ADataFolder> {
  const folder = await ADataFolder.with()
  await capture(folder, lead('lead-1', ada), lead('lead-2', ben))
  await folder.done(['backup', backup])
  return folder
}

const nothingLeft = { submissions: 0, events: 0, pageViews: 0, clicks: 0, others: 0, accounts: [] }
const nothingUndone = { removedAccounts: [], releases: [] }

test('a restore of the present state leaves nothing behind and undoes nothing', async () => {
  using folder = await backedUp()
  expect(await folder.json(['restore', backup])).toMatchObject({
    from: 'backup',
    leftBehind: nothingLeft,
    undone: nothingUndone,
    notCompared: null,
    erasedAgain: { erasures: 0, records: 0 },
  })
})

test('newer records are counted by kind, and accounts that the backup does not know are named', async () => {
  using folder = await backedUp()
  await folder.apply(aSite({ account: 'umbra' }))
  await capture(
    folder,
    lead('lead-3', ada),
    lead('lead-4', ada),
    trackedEvent({ id: 'event-1' }),
    pageView({ id: 'view-1' }),
    pageView({ id: 'view-2' }),
    click({ id: 'click-1' }),
  )
  const { stdout } = await folder.done(['restore', backup])
  expect(stdout).toContain(
    'Only in that folder and not in the backup: 2 submissions, 1 event, 2 page views, 1 click and 1 account (umbra).',
  )
})

test('a record that took the place of one that was lost by an earlier restore is known as another', async () => {
  using folder = await backedUp()
  await capture(folder, lead('lead-3', ada))
  await folder.done(['backup', 'later.backup'])
  await folder.done(['restore', backup])
  await capture(folder, lead('lead-4', ben))
  expect(await folder.json(['restore', 'later.backup'])).toMatchObject({
    leftBehind: { ...nothingLeft, submissions: 1 },
  })
})

test('submissions that were released after the backup are named, and only those that the backup has', async () => {
  using folder = await ADataFolder.with()
  const refused = (id: string): Entry => ({ ...lead(id, ada), status: 'refused', refusedFor: 'honeypot' })
  const release = (id: string) => folder.done(['submission', 'release', 'acme', id])
  await capture(folder, refused('lead-1'), refused('lead-2'))
  await release('lead-1')
  await folder.done(['backup', backup])
  await capture(folder, refused('lead-3'))
  await release('lead-2')
  await release('lead-3')
  const { stdout } = await folder.done(['restore', backup])
  expect(stdout).toContain(
    '1 submission released after the backup is refused again: lead-2. Release again what is to count: capture submission release acme lead-2',
  )
  await release('lead-2')
  await folder.done(['backup', 'later.backup'])
  expect(await folder.json(['restore', 'later.backup'])).toMatchObject({ undone: nothingUndone })
})

test('an account that was removed after the backup is named', async () => {
  using folder = await backedUp()
  await folder.done(['account', 'remove', 'acme', '--yes'])
  const { stdout } = await folder.done(['restore', backup])
  expect(stdout).toContain('1 account removed after the backup is back: acme.')
})

test('where the folder is gone, it is compared with the latest that a restore moved aside', async () => {
  using folder = await backedUp()
  await capture(folder, lead('lead-3', ada))
  const { movedAside } = await folder.json(['restore', backup])
  rmSync(folder.dataDir, { recursive: true })
  const { stdout } = await folder.done(['restore', backup])
  expect(stdout).toContain(`Only in ${movedAside} and not in the backup: 1 submission.`)
})

test('a folder that was moved aside, and none in its place, makes no new box', async () => {
  using folder = await backedUp()
  const { movedAside } = await folder.json(['restore', backup])
  rmSync(folder.dataDir, { recursive: true })
  for (const argv of [['serve'], ['apply', 'sites/acme'], ['account', 'list'], ['doctor']]) {
    const { status, stdout, stderr } = await folder.run(argv)
    expect([status, stdout + stderr]).toEqual([1, expect.stringContaining(`mv ${movedAside} ${folder.dataDir}`)])
  }
  expect(existsSync(folder.dataDir)).toBe(false)
})

test('where there was no box it is said that nothing could be counted', async () => {
  using folder = await backedUp()
  rmSync(folder.dataDir, { recursive: true })
  expect((await folder.done(['restore', backup])).stdout).toContain(
    `Later records than the backup cannot be counted: there was no box in ${folder.dataDir} to compare with.\n`,
  )
})

test.each([
  ['damaged', (file: string) => writeFileSync(file, 'no database at all')],
  [
    'of another make',
    (file: string) => {
      const raw = new Database(file)
      raw.run('ALTER TABLE ledger RENAME TO of_a_later_version')
      raw.close()
    },
  ],
  [
    'no file',
    (file: string) => {
      rmSync(file)
      mkdirSync(file)
    },
  ],
])('a present database that is %s stops no restore', async (_what, breakIt) => {
  using folder = await backedUp()
  for (const suffix of ['-wal', '-shm']) rmSync(databaseFile(folder) + suffix, { force: true })
  breakIt(databaseFile(folder))
  const { stdout } = await folder.done(['restore', backup])
  expect(stdout).toContain(`cannot be counted: the database in ${folder.dataDir} could not be read`)
  expect(stdout).toContain(`could not be repeated, because the database in ${folder.dataDir} could not be read`)
  expect((await folder.done(['export', 'acme', 'submissions'])).stdout).toContain('lead-1')
})

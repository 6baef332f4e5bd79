// `capture person erase` in words (docs/privacy.md); what it erases is tested on the executable and on storage.
import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { submission } from '../report/sample-entries.ts'
import { storeEntries } from '../storage/sqlite/stored-entries.ts'
import { ADataFolder } from './a-data-folder.ts'

test('what it would erase is one line of its own, and ends with exit status 2', async () => {
  using folder = await ADataFolder.with()
  const { status, stdout, stderr } = await folder.run(['person', 'erase', 'acme', 'nobody@customer.example'])
  expect(stdout).toBe('This would erase from acme: 0 submissions, 0 events, 0 page views, 0 clicks and 0 devices.\n')
  expect(stderr).toContain('--yes')
  expect(status).toBe(2)
})

test('an address by which nobody is known, and that nothing names, is said to be one', async () => {
  using folder = await ADataFolder.with()
  const erase = ['person', 'erase', 'acme', 'nobody@customer.example', '--yes']
  const { stdout } = await folder.done(erase)
  expect(stdout).toStartWith(
    'Erased from acme: nothing. Nobody is known by that address, and no record mentions it.\nVerified: ',
  )
  expect(await folder.json(erase)).toEqual({
    account: 'acme',
    erased: false,
    submissions: 0,
    events: 0,
    pageViews: 0,
    clicks: 0,
    devices: 0,
    mentionedIn: [],
    mentions: 0,
    verified: true,
    snapshots: [],
    movedAside: [],
  })
})

test('one that only others’ records name is not said to be named by none', async () => {
  using folder = await ADataFolder.with()
  const { id } = await folder.json(['account', 'show', 'acme'])
  const email = 'ben@customer.example'
  const fields = { email, message: 'My friend is ada@customer.example' }
  storeEntries(join(folder.dataDir, 'capture.db'), [
    submission({ accountId: String(id), deviceId: null, email, fields }),
  ])
  const { stdout } = await folder.done(['person', 'erase', 'acme', 'ada@customer.example', '--yes'])
  expect(stdout).toStartWith('Erased from acme: nothing. Nobody is known by that address.\n')
  expect(stdout).toContain('1 record of other people that mention this address: ')
})

test('a device that could not be derived again is told, and what to do', async () => {
  using folder = await ADataFolder.with()
  const { id } = await folder.json(['account', 'show', 'acme'])
  const file = join(folder.dataDir, 'capture.db')
  const [kept, erased] = ['ben@customer.example', 'ada@customer.example']
  storeEntries(
    file,
    [kept, erased].map((email) => submission({ id: email, accountId: String(id), email, fields: { email } })),
  )
  await folder.done(['person', 'show', 'acme', kept])
  using database = new Database(file)
  database.run(`CREATE TRIGGER refuse BEFORE UPDATE OF hit_at ON device BEGIN SELECT RAISE(ABORT, 'not now'); END`)
  const erase = ['person', 'erase', 'acme', erased, '--yes']
  const { status, stdout } = await folder.run(erase)
  expect(stdout).toContain('\nNot finished: 1 device of other people could not be derived again')
  expect(stdout).toContain('Run this again once `capture doctor` finds no damage.')
  expect(status).toBe(1)
  const again = await folder.run([...erase, '--json'])
  expect(JSON.parse(again.stdout)).toMatchObject({ erased: false, notDerived: 1 })
})

test('the receipt says how many other records name the address, and which the first 100 are', async () => {
  using folder = await ADataFolder.with()
  const { id } = await folder.json(['account', 'show', 'acme'])
  const email = 'ben@customer.example'
  const fields = { email, message: 'My friend is ada@customer.example' }
  const entries = Array.from({ length: 101 }, (_, number) =>
    submission({ id: `ben-${number}`, accountId: String(id), deviceId: null, email, fields }),
  )
  storeEntries(join(folder.dataDir, 'capture.db'), entries)
  const erase = ['person', 'erase', 'acme', 'ada@customer.example', '--yes']
  const { stdout } = await folder.done(erase)
  expect(stdout).toContain(
    '101 records of other people that mention this address, of which the first 100 are ben-0, ben-1, ',
  )
  expect(stdout).not.toContain('ben-100')
  const { mentions, mentionedIn } = await folder.json(erase)
  expect({ mentions, listed: Array.isArray(mentionedIn) && mentionedIn.length }).toEqual({ mentions: 101, listed: 100 })
})

test('the receipt names the folders that restores have moved aside', async () => {
  using folder = await ADataFolder.with()
  const aside = `${folder.dataDir}.before-restore-2026-11-20T101112-abcdefgh`
  cpSync(folder.dataDir, aside, { recursive: true })
  const erase = ['person', 'erase', 'acme', 'nobody@customer.example', '--yes']
  expect((await folder.done(erase)).stdout).toContain(`Out of reach: ${aside}, which was moved aside.`)
  expect(await folder.json(erase)).toMatchObject({ movedAside: [aside] })
})

// A disk has damaged the database file: what reads it says so in one sentence, `doctor` finds it, and `repair` writes the rest anew.
import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { copyFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Entry } from '../../src/ledger/entry.ts'
import { takeFolderLock } from '../../src/storage/lock/folder-lock.ts'
import { DatabasePages } from '../harness/damaged-pages.ts'
import { submission, trackedEvent } from '../report/sample-entries.ts'
import { storeEntries } from '../storage/sqlite/stored-entries.ts'
import { ADataFolder } from './a-data-folder.ts'

const start = Date.UTC(2026, 10, 20)
const count = 400
const submissionId = (number: number) => `submission-${String(number).padStart(3, '0')}`
const allIds = Array.from({ length: count }, (_, number) => submissionId(number))
const entries: Entry[] = allIds.flatMap((id, number) => {
  const receivedAt = start + number * 60_000
  const deviceId = `device-${number % 50}`
  const fields = { email: `person-${number % 50}@acme.example`, note: `note ${String(number).padStart(3, '0')}` }
  return [
    trackedEvent({ id: `event-${number}`, receivedAt, deviceId }),
    submission({ id, receivedAt, deviceId, email: fields.email, fields }),
  ]
})

const folder = await ADataFolder.with()
afterAll(() => folder[Symbol.dispose]())
const database = join(folder.dataDir, 'capture.db')
const { id: accountId } = await folder.json(['account', 'show', 'acme'])
storeEntries(
  database,
  entries.map((entry) => ({ ...entry, accountId: String(accountId) })),
)
await folder.process()
const pages = new DatabasePages(database)
const leaves = pages.of('ledger', 'leaf')
copyFileSync(database, folder.path('sound.db'))
const soundReport = await report(folder)

beforeEach(() => copyFileSync(folder.path('sound.db'), database))

async function report(of: ADataFolder): Promise<unknown> {
  const { generatedAt: _, ...rest } = await of.json(['report', 'acme', '--month', '2026-11'])
  return rest
}

async function exported(of: ADataFolder, what: string) {
  const { status, stdout, stderr } = await of.run(['export', 'acme', what])
  const records = status === 0 ? stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)])) : []
  return { status, ids: records.map((record) => record.submissionId ?? record.eventId), records, stderr }
}

/** Repairs into the data folder of another box, which is disposed of at the end of the test. */
async function repaired(...options: string[]) {
  const box = new ADataFolder()
  const { status, stdout } = await folder.run(['repair', '--to', box.dataDir, '--json', ...options])
  return { status, box, told: JSON.parse(stdout) }
}

const sentence =
  /(?:Stop `serve` and run `capture repair`: it writes what can be read into a new data folder, and names what is missing\.)/

test('a sound box: everything is exported, doctor has read it all, and a repair misses nothing', async () => {
  expect(await exported(folder, 'submissions')).toMatchObject({ status: 0, ids: allIds })
  const { status, told, box } = await repaired()
  using _ = box
  expect({ status, told }).toMatchObject({
    status: 0,
    told: { entries: 2 * count, missing: [], withoutSettings: [], missingFiles: [], changed: [], derivedAgain: false },
  })
  expect(await exported(box, 'submissions')).toEqual(await exported(folder, 'submissions'))
  expect(await report(box)).toEqual(soundReport)
  expect((await box.run(['doctor'])).status).toBe(0)
})

describe('a damaged leaf of the ledger', () => {
  beforeEach(() => pages.fillWithGarbage(leaves[10] ?? 0))

  test.each<[argv: string[]]>([
    [['export', 'acme', 'submissions']],
    [['submission', 'list', 'acme', '--limit', '1000']],
    [['person', 'erase', 'acme', 'person-7@acme.example', '--yes']],
    [['backup', folder.path('backup.tar')]],
  ])('fails %j with a sentence that names the command', async (argv) => {
    const { status, stderr } = await folder.run(argv)
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringMatching(sentence) })
  })

  test('is found by doctor', async () => {
    const { status, stdout } = await folder.run(['doctor', '--json'])
    const { checks } = JSON.parse(stdout) as { checks: { check: string; status: string; advice: string }[] }
    expect({ status, ...checks.find(({ check }) => check === 'database') }).toMatchObject({
      status: 'fault',
      advice: expect.stringMatching(sentence),
    })
  })

  test('is repaired, and each sentence about it stands on a line of its own', async () => {
    using box = new ADataFolder()
    const { stdout } = await folder.run(['repair', '--to', box.dataDir])
    expect(stdout.trimEnd().split('\n')).toEqual([
      expect.stringMatching(/entries of the ledger .* are in /),
      expect.stringMatching(/^Missing of the records: \d+ records, received between /),
      expect.stringContaining('may be in a backup'),
      expect.stringMatching(/^Put it in the place of the old folder and look: mv /),
    ])
  })

  test('is repaired: what is missing is named by number, id and time, and all else is there', async () => {
    const { status, told, box } = await repaired()
    using _ = box
    expect({ status, missing: told.missing }).toMatchObject({
      status: 1,
      missing: [{ table: 'ledger', between: [{}] }],
    })
    const [{ rows, between, ids }] = told.missing
    const left = await exported(box, 'submissions')
    const events = await exported(box, 'events')
    expect(left.ids).toEqual(allIds.filter((id) => !ids.includes(id)))
    expect(2 * count - left.ids.length - events.ids.length).toBe(rows)
    const gone = allIds.indexOf(ids[0])
    expect(Date.parse(between[0].after)).toBeWithin(start + (gone - 1) * 60_000, start + (gone + 1) * 60_000)
    expect(await report(box)).toEqual(soundReport)
    expect((await box.run(['doctor'])).status).toBe(0)
    expect((await box.run(['person', 'erase', 'acme', 'person-7@acme.example', '--yes'])).status).toBe(0)
  })
})

test('a changed byte: reading fails, and a repair leaves the record out, or takes it over as it is', async () => {
  pages.replaceText('note 123', 'note 124')
  const read = await exported(folder, 'submissions')
  expect([read.status, read.stderr]).toEqual([1, expect.stringMatching(sentence)])
  expect(read.stderr).toStartWith('The record submission-123 is not as it was captured')
  expect((await folder.run(['doctor'])).stdout).toContain(
    '1 record does not match its checksum: of acme submission-123.',
  )
  const without = await repaired()
  using left = without.box
  expect(without).toMatchObject({
    status: 1,
    told: { missing: [{ table: 'ledger', rows: 1, ids: ['submission-123'] }] },
  })
  expect((await exported(left, 'submissions')).ids).toEqual(allIds.filter((id) => id !== 'submission-123'))
  const changed = await repaired('--changed')
  using kept = changed.box
  expect(changed).toMatchObject({ status: 0, told: { missing: [], changed: ['submission-123'] } })
  expect((await exported(kept, 'submissions')).records[123].fields.note).toBe('note 124')
  expect((await kept.run(['doctor'])).status).toBe(0)
})

test('an index: nothing is missing', async () => {
  pages.fillWithGarbage(...pages.of('ledger_by_account', 'leaf').slice(0, 2))
  const { status, told, box } = await repaired()
  using _ = box
  expect({ status, told }).toMatchObject({ status: 0, told: { entries: 2 * count, missing: [], derivedAgain: false } })
  expect((await exported(box, 'submissions')).ids).toEqual(allIds)
})

test('an inner page of the ledger: all that it led to is missing, and the box goes on without', async () => {
  pages.fillWithZeros(...pages.of('ledger', 'internal'))
  const { status, told, box } = await repaired()
  using _ = box
  expect({ status, told }).toMatchObject({ status: 1, told: { entries: 0, missing: [{ table: 'ledger', rows: 800 }] } })
  expect(await exported(box, 'submissions')).toMatchObject({ status: 0, ids: [] })
  expect((await box.run(['doctor'])).status).toBe(0)
})

test('what was made of records: it is made again, and nothing is missing', async () => {
  pages.fillWithGarbage(...pages.of('person', 'leaf').slice(0, 1), ...pages.of('device_entry', 'leaf').slice(0, 1))
  const { status, told, box } = await repaired()
  using _ = box
  expect({ status, told }).toMatchObject({ status: 0, told: { entries: 2 * count, missing: [], derivedAgain: true } })
  const { records } = await exported(box, 'submissions')
  expect(new Set(records.map(({ personId }) => personId)).size).toBe(50)
  expect(await report(box)).toEqual(soundReport)
  expect((await box.run(['doctor'])).status).toBe(0)
})

test('a table of settings: how many rows are missing is told', async () => {
  pages.fillWithGarbage(...pages.of('audit_entry', 'leaf'))
  const { status, told, box } = await repaired()
  using _ = box
  expect({ status, told }).toMatchObject({
    status: 1,
    told: { entries: 2 * count, missing: [{ table: 'audit_entry' }] },
  })
})

test('a folder that is in use, or a place that is taken, is refused, and nothing is left behind', async () => {
  using box = new ADataFolder()
  const lock = takeFolderLock(folder.dataDir, 'serve', 'capture serve')
  const inUse = await folder.run(['repair', '--to', box.dataDir])
  expect(inUse).toMatchObject({ status: 1, stderr: expect.stringContaining('is in use by process') })
  if ('release' in lock) lock.release()
  const taken = await folder.run(['repair', '--to', folder.dataDir])
  expect(taken).toMatchObject({ status: 1, stderr: expect.stringContaining('is there already. Name a new folder') })
  expect(readdirSync(box.dir)).toEqual(['capture.toml'])
})

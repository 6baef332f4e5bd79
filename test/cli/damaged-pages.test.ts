// A disk has damaged pages of the database file: what can be read is printed, what cannot is named, nothing loops.
import { afterAll, expect, test } from 'bun:test'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Entry } from '../../src/ledger/entry.ts'
import { DatabasePages } from '../harness/damaged-pages.ts'
import { submission, trackedEvent } from '../report/sample-entries.ts'
import { storeEntries } from '../storage/sqlite/stored-entries.ts'
import { ADataFolder } from './a-data-folder.ts'

const start = Date.UTC(2026, 10, 20)
const count = 400
const submissionId = (number: number) => `submission-${String(number).padStart(3, '0')}`
const entries: Entry[] = Array.from({ length: count }, (_, number) => {
  const receivedAt = start + number * 60_000
  const deviceId = `device-${number % 50}`
  const fields = { email: `person-${number % 50}@acme.example`, note: `note ${String(number).padStart(3, '0')}` }
  return [
    trackedEvent({ id: `event-${number}`, receivedAt, deviceId }),
    submission({ id: submissionId(number), receivedAt, deviceId, email: fields.email, fields }),
  ]
}).flat()

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

/** Puts the sound database back and damages it. */
function damage(how: (pages: DatabasePages) => void): void {
  copyFileSync(folder.path('sound.db'), database)
  how(pages)
}

async function exported(what: string, ...options: string[]) {
  const { status, stdout, stderr } = await folder.run(['export', 'acme', what, ...options])
  const records = stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))
  return { status, ids: records.map((record) => record.submissionId ?? record.eventId), records, stderr }
}

async function doctor() {
  const { status, stdout } = await folder.run(['doctor', '--json'])
  const { checks } = JSON.parse(stdout) as { checks: { check: string; status: string; found: string }[] }
  return { status, records: checks.find(({ check }) => check === 'records') }
}

test('a sound box: everything is exported, and doctor has read it all', async () => {
  damage(() => {})
  expect(await exported('submissions')).toMatchObject({ status: 0, ids: { length: count } })
  expect(await doctor()).toMatchObject({
    status: 0,
    records: { found: '800 records can be read and are as captured.' },
  })
})

test('a leaf of the ledger: the others are exported, and what is missing is named by number, id and time', async () => {
  damage((pages) => pages.fillWithGarbage(leaves[10] ?? 0))
  const { status, ids, stderr } = await exported('submissions')
  const missing = Array.from({ length: count }, (_, number) => submissionId(number)).filter((id) => !ids.includes(id))
  expect(status).toBe(1)
  expect(missing.length).toBeWithin(1, 20)
  for (const id of missing) expect(stderr).toContain(id)
  expect(stderr).toMatch(
    /^\d+ records? \(numbers? \d+.*\), received between 2026-11-20 \d\d:\d\d:00 UTC and 2026-11-20 \d\d:\d\d:00 UTC, cannot be read and (?:is|are) left out: the database file is damaged there; run `capture doctor`\.$/m,
  )
  const examined = await doctor()
  expect(examined).toMatchObject({ status: 1, records: { status: 'fault' } })
  const events = await exported('events')
  const left = 2 * count - ids.length - events.ids.length
  expect(examined.records?.found).toStartWith(`${left} records cannot be read, or not as captured: of acme `)
})

test('an inner page of the ledger, or of its index, ends no export', async () => {
  damage((pages) => pages.fillWithZeros(...pages.of('ledger', 'internal')))
  expect(await exported('submissions')).toMatchObject({ status: 1, ids: [] })
  expect((await exported('submissions')).stderr).toContain('400 records (numbers 2 to 800')
  damage((pages) => pages.fillWithGarbage(...pages.of('ledger_by_account', 'leaf').slice(0, 2)))
  expect(await exported('submissions')).toMatchObject({ status: 0, ids: { length: count } })
})

test('a changed byte: the record is left out and called changed, and doctor ends with 1', async () => {
  damage((pages) => pages.replaceText('note 123', 'note 124'))
  const { status, ids, stderr } = await exported('submissions')
  expect({ status, left: count - ids.length }).toEqual({ status: 1, left: 1 })
  expect(stderr).toContain('The record submission-123 is not as it was captured (its checksum says so) and is left out')
  const withIt = await exported('submissions', '--changed')
  expect(withIt).toMatchObject({ status: 1, ids: { length: count } })
  expect(withIt.records[123].fields.note).toBe('note 124')
  expect(withIt.stderr).toContain('and is printed nevertheless')
  expect(await doctor()).toMatchObject({
    status: 1,
    records: { status: 'fault', found: expect.stringContaining('submission-123 (does not match its checksum)') },
  })
})

test('pages of what was made of the records: they are exported without it, and that is said', async () => {
  damage((pages) => pages.fillWithGarbage(...pages.of('person_by_email_mark', 'leaf')))
  const { status, ids, records, stderr } = await exported('submissions')
  expect({ status, ids: ids.length }).toEqual({ status: 1, ids: count })
  expect(records.every(({ personId }) => personId === null)).toBe(true)
  expect(stderr).toContain('The derived data of the record submission-000 cannot be read')
})

test('a list of submissions names those that cannot be read and goes on to earlier ones', async () => {
  damage((pages) => pages.fillWithGarbage(leaves.at(-2) ?? 0))
  const { status, stdout, stderr } = await folder.run(['submission', 'list', 'acme', '--json', '--limit', '50'])
  const listed = JSON.parse(stdout).map(({ submissionId }: { submissionId: string }) => submissionId)
  const left = [...stderr.matchAll(/^The record (\S+) cannot be read and is left out/gm)].map(([, id = '']) => id)
  expect({ status, listed: listed.length }).toEqual({ status: 1, listed: 50 })
  expect(left).not.toBeEmpty()
  expect([...listed, ...left].sort()).toEqual(
    Array.from({ length: 50 + left.length }, (_, at) => submissionId(count - 50 - left.length + at)),
  )
  const shown = await folder.run(['submission', 'show', 'acme', left[0] ?? ''])
  expect(shown).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('its record is damaged and cannot be read'),
  })
})

test('a person is shown with the records that can be read', async () => {
  damage((pages) => pages.fillWithGarbage(...leaves.slice(10, 20)))
  const shown = ['person', 'show', 'acme', 'person-7@acme.example', '--json']
  const { status, stdout, stderr } = await folder.run(shown)
  const { submissions } = JSON.parse(stdout).records
  expect({ status, named: stderr.includes('cannot be read') }).toEqual({ status: 1, named: true })
  expect(submissions.length).toBeWithin(1, 8)
})

test('an erasure takes what can be read of the person, and says that it cannot be verified', async () => {
  damage((pages) => pages.fillWithGarbage(leaves[0] ?? 0))
  const { status, stdout } = await folder.run(['person', 'erase', 'acme', 'person-40@acme.example', '--yes'])
  expect(stdout).toContain('Erased from acme: 8 submissions, 8 events')
  expect(stdout).toMatch(/Not verified: \d+ records cannot be read, and may be this person's\./)
  expect(status).toBe(1)
  expect((await exported('submissions')).ids).not.toContain(submissionId(40))
})

test('a report is printed, and a backup says why there can be none', async () => {
  damage((pages) => pages.fillWithGarbage(leaves[10] ?? 0))
  expect(await folder.run(['report', 'acme'])).toMatchObject({ status: 0 })
  const backup = await folder.run(['backup', folder.path('backup.tar')])
  expect(backup).toMatchObject({ status: 1, stderr: expect.stringContaining('capture export') })
})

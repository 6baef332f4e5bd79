// Records that cannot be read any more: what is printed is all the others, and says which are left out.
import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Entry } from '../../../src/ledger/entry.ts'
import { submission, trackedEvent } from '../../report/sample-entries.ts'
import { storeEntries } from '../../storage/sqlite/stored-entries.ts'
import { ADataFolder } from '../a-data-folder.ts'

const email = 'ada@customer.example'

async function capture(folder: ADataFolder, entries: Entry[]): Promise<void> {
  const { id: accountId } = await folder.json(['account', 'show', 'acme'])
  storeEntries(
    join(folder.dataDir, 'capture.db'),
    entries.map((entry) => ({ ...entry, accountId: String(accountId) })),
  )
}

function damage(folder: ADataFolder, ids: string[], record = '{'): void {
  using database = new Database(join(folder.dataDir, 'capture.db'))
  for (const id of ids) database.run('UPDATE ledger SET record = ? WHERE id = ?', [record, id])
}

const leftOut = (stderr: string): string[] =>
  [...stderr.matchAll(/^The record (\S+) cannot be read and is left out; run `capture doctor`\.$/gm)].map(
    ([, id = '']) => id,
  )

test('an export goes on after records that cannot be read, wherever they stand, and ends with exit status 1', async () => {
  using folder = await ADataFolder.with()
  const ids = Array.from({ length: 600 }, (_, number) => `event-${number}`)
  await capture(
    folder,
    ids.map((id) => trackedEvent({ id })),
  )
  const damaged = ['event-0', 'event-255', 'event-256', 'event-599']
  damage(folder, damaged)
  const { status, stdout, stderr } = await folder.run(['export', 'acme', 'events'])
  const exported = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).eventId)
  expect(exported).toEqual(ids.filter((id) => !damaged.includes(id)))
  expect({ status, leftOut: leftOut(stderr) }).toEqual({ status: 1, leftOut: damaged })
})

test('an export to a file holds what can be read', async () => {
  using folder = await ADataFolder.with()
  await capture(folder, [trackedEvent({ id: 'event-1' }), trackedEvent({ id: 'event-2' })])
  damage(folder, ['event-2'])
  const { status, stderr } = await folder.run(['export', 'acme', 'events', '--out', 'events.jsonl'])
  expect({ status, leftOut: leftOut(stderr) }).toEqual({ status: 1, leftOut: ['event-2'] })
  expect(readFileSync(folder.path('events.jsonl'), 'utf8')).toContain('event-1')
})

test('a person is shown without those of their records that cannot be read', async () => {
  using folder = await ADataFolder.with()
  await capture(folder, [trackedEvent({ id: 'event-1' }), trackedEvent({ id: 'event-2' }), submission({ email })])
  const show = ['person', 'show', 'acme', email]
  expect((await folder.run(show)).status).toBe(0)
  damage(folder, ['event-1'])
  const { status, stdout, stderr } = await folder.run([...show, '--json'])
  const { events } = JSON.parse(stdout).records
  expect(events.map(({ eventId }: { eventId: string }) => eventId)).toEqual(['event-2'])
  expect({ status, leftOut: leftOut(stderr) }).toEqual({ status: 1, leftOut: ['event-1'] })
  expect(await folder.run(show)).toMatchObject({ status: 1, stdout: expect.stringContaining(email) })
})

describe('submissions that cannot be read', () => {
  const ids = Array.from({ length: 7 }, (_, number) => `submission-${number}`)
  const show = (id: string) => ['submission', 'show', 'acme', id]

  /** All received at the same time but for the first, and processed; then some of them are damaged. */
  async function withDamaged(damaged: string[]): Promise<ADataFolder> {
    const folder = await ADataFolder.with()
    const later = submission().receivedAt + 1
    await capture(
      folder,
      ids.map((id, number) => submission({ id, fields: { number }, ...(number === 0 ? {} : { receivedAt: later }) })),
    )
    await folder.done(['submission', 'list', 'acme'])
    damage(folder, damaged)
    return folder
  }

  test('are left out of the list and named, and earlier ones stand in their place', async () => {
    const damaged = ['submission-6', 'submission-5', 'submission-3']
    using folder = await withDamaged(damaged)
    const { status, stdout, stderr } = await folder.run(['submission', 'list', 'acme', '--json', '--limit', '4'])
    const listed = JSON.parse(stdout).map(({ submissionId }: { submissionId: string }) => submissionId)
    expect(listed).toEqual(['submission-4', 'submission-2', 'submission-1', 'submission-0'])
    expect({ status, leftOut: leftOut(stderr) }).toEqual({ status: 1, leftOut: damaged })
  })

  test('are not said to be none when there are no others', async () => {
    using folder = await withDamaged(ids)
    const { status, stdout } = await folder.run(['submission', 'list', 'acme'])
    expect({ status, stdout }).toEqual({ status: 1, stdout: 'None of the submissions that acme has can be read.\n' })
  })

  test.each([show, (id: string) => ['submission', 'release', 'acme', id]])(
    'are neither shown nor released, with a sentence that says where else to look',
    async (argv) => {
      using folder = await withDamaged(['submission-1'])
      expect(await folder.run(argv('submission-1'))).toEqual({
        status: 1,
        stdout: '',
        stderr: expect.stringMatching(
          /^The submission submission-1 of acme is there, but its record is damaged and cannot be read\..*capture doctor.*capture restore/,
        ),
      })
      expect((await folder.run(show('submission-2'))).status).toBe(0)
    },
  )
})

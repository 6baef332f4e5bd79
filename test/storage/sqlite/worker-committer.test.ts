import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openConnection } from '../../../src/storage/sqlite/connection.ts'
import { encodeEntries } from '../../../src/storage/sqlite/ledger-codec.ts'
import { migrateDatabase } from '../../../src/storage/sqlite/migrations.ts'
import { restartPauseMs, WorkerCommitter } from '../../../src/storage/sqlite/worker-committer.ts'
import type { ProcessingNotice } from '../../../src/storage/sqlite/worker-messages.ts'
import { eventually } from '../../harness/eventually.ts'
import { trackedEvent } from '../../report/sample-entries.ts'
import { storeEntries } from './stored-entries.ts'

// A writing thread that dies: what it held is rejected, what was acknowledged is on disk, and the next batch finds
// another.

const ways = ['die by a fault', 'die at once']

let folder = ''
let file = ''
let committer: WorkerCommitter
let notices: ProcessingNotice[]

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'capture-committer-'))
  file = join(folder, 'capture.db')
  const connection = openConnection(file)
  migrateDatabase({ connection, snapshotDir: folder, now: 0, assertAlone: () => {} })
  connection.raw.run(
    "INSERT INTO account (id, handle, settings, site_revision, changed_at_revision, created_at) VALUES ('account-a', 'a', '{}', 0, 0, 0)",
  )
  connection.raw.close()
  notices = []
  committer = new WorkerCommitter(new URL('./mortal-ledger-worker.ts', import.meta.url), file, (notice) =>
    notices.push(notice),
  )
})

afterEach(async () => {
  await committer.close()
  rmSync(folder, { recursive: true, force: true })
})

const commit = (id: string, event = 'plan_chosen') =>
  committer.commit({ entries: encodeEntries([trackedEvent({ id, event })]).join('\n'), refusals: [], spends: [] })

function storedIds(): string[] {
  using database = new Database(file, { readonly: true, strict: true })
  const rows = database.query<{ id: string }, []>('SELECT id FROM ledger ORDER BY sequence').all()
  return rows.map(({ id }) => id)
}

for (const way of ways) {
  test(`a thread that dies (${way}) rejects its batch, and the next one is stored`, async () => {
    await commit('one')
    await expect(commit('two', way)).rejects.toThrow()
    await commit('three')
    expect(storedIds()).toEqual(['one', 'three'])
  })

  test(`a thread that dies (${way}) is replaced with nothing to commit, and what waits is processed`, async () => {
    await expect(commit('one', way)).rejects.toThrow()
    using database = new Database(file, { strict: true })
    storeEntries(file, [trackedEvent({ id: 'two' })])
    const waiting = 'SELECT 1 FROM ledger, processing WHERE ledger.sequence > cursor'
    await eventually('it is processed', 10_000, async () => database.query(waiting).get() === null)
    expect(storedIds()).toEqual(['two'])
  })

  test(`of batches handed over at once with the deadly one (${way}), those acknowledged are stored`, async () => {
    const ids = ['one', 'two', 'deadly', 'three', 'four']
    const outcomes = await Promise.allSettled(ids.map((id) => commit(id, id === 'deadly' ? way : undefined)))
    const acknowledged = ids.filter((_, index) => outcomes[index]?.status === 'fulfilled')
    expect(acknowledged).not.toContain('deadly')
    await commit('after')
    expect(storedIds()).toEqual(expect.arrayContaining([...acknowledged, 'after']))
    expect(storedIds()).not.toContain('deadly')
  })
}

test('a thread that dies at its start is started again after a pause, and never once it is to close', async () => {
  const starts = () =>
    existsSync(`${file}.starts`) ? readFileSync(`${file}.starts`, 'utf8').split('\n').slice(0, -1) : []
  const doomed = new WorkerCommitter(new URL('./doomed-ledger-worker.ts', import.meta.url), file, () => {})
  await eventually('it is started a third time', 10_000, async () => starts().length >= 3)
  await doomed.close()
  const [first = 0, second = 0, third = 0] = starts().map(Number)
  expect(Math.min(second - first, third - second)).toBeGreaterThan(restartPauseMs / 2)
  const before = starts().length
  await Bun.sleep(2 * restartPauseMs)
  expect(starts().length).toBe(before)
})

test('batches are acknowledged in the order in which they were handed over, each for itself', async () => {
  const ids = Array.from({ length: 100 }, (_, index) => `id-${index}`)
  const order: string[] = []
  await Promise.all(ids.map((id) => commit(id).then(() => order.push(id))))
  expect(order).toEqual(ids)
  expect(storedIds()).toEqual(ids)
})

test('an entry of an account that is gone is reported and not stored, its neighbours are', async () => {
  const lines = encodeEntries([trackedEvent({ id: 'one' }), trackedEvent({ id: 'two', accountId: 'account-gone' })])
  const { homeless } = await committer.commit({ entries: lines.join('\n'), refusals: [], spends: [] })
  expect(homeless).toEqual([1])
  expect(storedIds()).toEqual(['one'])
})

test('what was handed over before the close is on disk after it', async () => {
  const committed = commit('last')
  await committer.close()
  await committed
  expect(storedIds()).toEqual(['last'])
})

test('what goes wrong in processing is handed on, and no batch takes it for its answer', async () => {
  const operator = openConnection(file)
  operator.raw.run('ALTER TABLE processing RENAME TO gone')
  operator.raw.close()
  await commit('one')
  await eventually('it is told of', 10_000, async () => notices.length > 0)
  await commit('two')
  expect(notices[0]).toHaveProperty('processingFailed')
  expect(storedIds()).toEqual(['one', 'two'])
})

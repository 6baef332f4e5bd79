import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { emptyBatch } from '../../../../src/capture/write-batch.ts'
import { WriterGone } from '../../../../src/ledger/writer.ts'
import { latestEntryIds } from '../../../../src/storage/sqlite/commit/latest-entry-ids.ts'
import {
  hangTicks,
  lastReplaceTicks,
  patienceTicks,
  replaceTicks,
  restartPausesMs,
  vainReplacementsMax,
  WorkerCommitter,
  type WorkerCommitterOptions,
} from '../../../../src/storage/sqlite/commit/worker-committer.ts'
import { CommitFigures, type ThreadNotice } from '../../../../src/storage/sqlite/commit/worker-messages.ts'
import { type Connection, openConnection, openReader } from '../../../../src/storage/sqlite/database/connection.ts'
import { migrateDatabase } from '../../../../src/storage/sqlite/database/migrations.ts'
import { encodeEntries } from '../../../../src/storage/sqlite/ledger/ledger-codec.ts'
import { bundledWorker } from '../../../harness/bundled-worker.ts'
import { eventually } from '../../../harness/eventually.ts'
import { trackedEvent } from '../../../report/sample-entries.ts'
import { storeEntries } from '../stored-entries.ts'

// A writing thread that dies or hangs: what was acknowledged is on disk, what is on disk is acknowledged if the thread is
// dead, and the next batch finds another thread.

/** Nothing of the batch is stored. */
const waysBefore = ['die by a fault', 'die at once', 'die inside the transaction']
/** It is stored, and nobody has been told. */
const waysAfter = ['die after the commit', 'die by a fault after the commit']
const waysToHang = ['hang before the commit', 'hang after the commit']

/** Tests pass the time themselves: a busy machine keeps a thread from answering for longer than a service waits. */
const noTicksMs = 2 ** 30
const mortalWorker = await bundledWorker(new URL('./mortal-ledger-worker.ts', import.meta.url))
const doomedWorker = new URL('./doomed-ledger-worker.ts', import.meta.url)

let folder = ''
let file = ''
let reader: Connection
let committer: WorkerCommitter
let notices: ThreadNotice[]

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'capture-committer-'))
  file = join(folder, 'capture.db')
  const connection = openConnection(file)
  migrateDatabase({ connection, snapshotDir: folder, now: 0, assertAlone: () => {} })
  connection.raw.run(
    "INSERT INTO account (id, handle, settings, site_revision, changed_at_revision, created_at) VALUES ('account-a', 'a', ?, 0, 0, ?)",
    [JSON.stringify({ timezone: 'UTC', domains: [], origins: [], goals: [], funnels: [] }), Date.now()],
  )
  connection.raw.close()
  reader = openReader(file)
  notices = []
  committer = startCommitter()
})

afterEach(async () => {
  rmSync(hangFile(), { force: true })
  await committer.close()
  reader.raw.close()
  rmSync(folder, { recursive: true, force: true })
})

const startCommitter = (options: Partial<WorkerCommitterOptions> = {}) =>
  new WorkerCommitter({
    workerFile: mortalWorker,
    databaseFile: file,
    version: '1.0.0',
    latestEntryIds: (count) => latestEntryIds(reader, count),
    onNotice: (notice) => notices.push(notice),
    tickMs: noTicksMs,
    ...options,
  })

const hangFile = () => `${file}.hang`

const commit = (id: string, event = 'plan_chosen', by = committer) =>
  by.commit({ ...emptyBatch, entries: encodeEntries([trackedEvent({ id, event })]).join('\n') })

function storedIds(): string[] {
  using database = new Database(file, { readonly: true, strict: true })
  const rows = database.query<{ id: string }, []>('SELECT id FROM ledger ORDER BY sequence').all()
  return rows.map(({ id }) => id)
}

for (const way of waysBefore) {
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
    await eventually('it is processed', async () => database.query(waiting).get() === null)
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

for (const way of waysAfter) {
  test(`what a thread had stored when it died (${way}) is acknowledged, and stored once`, async () => {
    await commit('one')
    expect(await commit('two', way)).toEqual({ homeless: [], spent: [] })
    await commit('three')
    expect(storedIds()).toEqual(['one', 'two', 'three'])
  })

  test(`of batches handed over at once with one that dies (${way}), exactly those stored are acknowledged`, async () => {
    const ids = Array.from({ length: 20 }, (_, index) => `id-${index}`)
    const outcomes = await Promise.allSettled(ids.map((id) => commit(id, id === 'id-10' ? way : undefined)))
    const acknowledged = ids.filter((_, index) => outcomes[index]?.status === 'fulfilled')
    expect(acknowledged).toContain('id-10')
    expect(storedIds()).toEqual(acknowledged)
  })
}

test('of a batch that was stored when the thread died, the entry without an account is reported', async () => {
  const entries = [
    trackedEvent({ id: 'one' }),
    trackedEvent({ id: 'two', accountId: 'account-gone' }),
    trackedEvent({ id: 'three', event: 'die after the commit' }),
  ]
  const batch = { ...emptyBatch, entries: encodeEntries(entries).join('\n') }
  expect(await committer.commit(batch)).toEqual({ homeless: [1], spent: [] })
  expect(storedIds()).toEqual(['one', 'three'])
})

test('when the database cannot be asked after a death, nothing is acknowledged', async () => {
  const blind = startCommitter({
    latestEntryIds: () => {
      throw new Error('disk I/O error')
    },
  })
  await expect(commit('one', 'die after the commit', blind)).rejects.toThrow(WriterGone)
  await blind.close()
})

test('of a death the place in the sources is told, and no text of the error', async () => {
  await commit('one', 'die by a fault after the commit')
  await eventually('it is told of', async () => notices.length > 0)
  expect(notices).toEqual([{ threadEnded: expect.stringMatching(/^a fault in mortal-ledger-worker\.ts:\d+$/) }])
})

describe('a thread that hangs', () => {
  let hanging: WorkerCommitter

  beforeEach(() => {
    writeFileSync(hangFile(), '')
    hanging = startCommitter()
  })

  afterEach(async () => {
    rmSync(hangFile(), { force: true })
    await hanging.close()
  })

  /** `rejects` of Bun would keep the test's own thread waiting. */
  const outcome = (id: string, event?: string) =>
    commit(id, event, hanging).then(
      () => 'stored',
      (error: unknown) => (error instanceof WriterGone ? 'gone' : String(error)),
    )
  /** Resolves when the thread hangs in it. */
  const hangIn = async (way: string): Promise<{ outcome: Promise<string> }> => {
    const first = outcome('one', way)
    await eventually('it hangs', async () => existsSync(`${file}.hangs`))
    return { outcome: first }
  }
  const pass = (ticks: number) => {
    for (let tick = 0; tick < ticks; tick++) hanging.look()
  }
  const storesAgain = () => eventually('it stores again', async () => (await outcome('again')) === 'stored')

  test.each(waysToHang)('(%s) has its batches rejected, then all others at once', async (way) => {
    const first = await hangIn(way)
    const second = outcome('two')
    pass(patienceTicks)
    expect(notices).toEqual([])
    pass(1)
    expect(await Promise.all([first.outcome, second, outcome('three')])).toEqual(['gone', 'gone', 'gone'])
    expect(notices).toEqual([{ threadSilent: true }])
  })

  test.each(waysToHang)('(%s) stores nothing that was handed over behind it, once it goes on', async (way) => {
    const first = await hangIn(way)
    const others = [outcome('two'), outcome('three')]
    pass(patienceTicks + 1)
    expect(await Promise.all([first.outcome, ...others])).toEqual(['gone', 'gone', 'gone'])
    rmSync(hangFile())
    await storesAgain()
    expect(storedIds()).toEqual(['one', 'again'])
    expect(notices).toEqual([{ threadSilent: true }, { threadAnswers: true }])
  })

  test('is ended and replaced when it does not come back', async () => {
    const first = await hangIn('loop for ever')
    pass(patienceTicks + 1 + replaceTicks)
    expect(await first.outcome).toBe('gone')
    await storesAgain()
    expect(storedIds()).toEqual(['again'])
    expect(notices).toEqual([{ threadSilent: true }, ended])
  })

  const ended = { threadEnded: 'it did not answer and was ended' }

  test('in the system is named, and replaced once it can end, so that never two write', async () => {
    Bun.spawnSync(['mkfifo', `${file}.pipe`])
    const first = await hangIn('hang in the system')
    pass(patienceTicks + 1 + 2 * lastReplaceTicks)
    expect([await first.outcome, await outcome('two')]).toEqual(['gone', 'gone'])
    expect(notices).toEqual([{ threadSilent: true }, { threadHangs: true }])
    await Bun.spawn(['sh', '-c', 'echo > "$0"', `${file}.pipe`]).exited
    await storesAgain()
    expect(storedIds()).toEqual(['again'])
    expect(notices.at(-1)).toEqual(ended)
  })

  test('is replaced twice in a row, then named and left to come back', async () => {
    for (let replaced = 0; replaced < vainReplacementsMax; replaced++) {
      await hangIn('loop for ever')
      pass(patienceTicks + 1 + replaceTicks)
      await storesAgain()
      rmSync(`${file}.hangs`)
    }
    await hangIn('hang before the commit')
    pass(patienceTicks + 1 + hangTicks)
    rmSync(hangFile())
    await storesAgain()
    const replacement: ThreadNotice[] = [{ threadSilent: true }, ended]
    const leftAlone: ThreadNotice[] = [{ threadSilent: true }, { threadHangs: true }, { threadAnswers: true }]
    expect(notices).toEqual([...replacement, ...replacement, ...leftAlone])
  })

  test('for the third time in a row and does not come back is replaced after ten minutes', async () => {
    for (const ticks of [replaceTicks, replaceTicks, lastReplaceTicks]) {
      await hangIn('loop for ever')
      pass(patienceTicks + 1 + ticks - 1)
      expect(await outcome('early')).toBe('gone')
      pass(1)
      await storesAgain()
      rmSync(`${file}.hangs`)
    }
  })
})

test('a thread that dies at its start is started again, ever later up to a second, and never once it is to close', async () => {
  const starts = () =>
    existsSync(`${file}.starts`) ? readFileSync(`${file}.starts`, 'utf8').split('\n').slice(0, -1).map(Number) : []
  const doomed = startCommitter({ workerFile: doomedWorker })
  const enough = restartPausesMs.length + 2
  await eventually('it is started again and again', async () => starts().length >= enough)
  await doomed.close()
  const before = starts()
  const pauses = before.slice(1).map((at, index) => at - (before[index] ?? 0))
  const least = [...restartPausesMs, restartPausesMs.at(-1) ?? 0].slice(0, pauses.length)
  // A timer may be a little early.
  for (const [index, pauseMs] of least.entries()) expect(pauses[index]).toBeGreaterThanOrEqual(pauseMs - 20)
  await expect(doomed.commit(emptyBatch)).rejects.toThrow(WriterGone)
  await Bun.sleep(2 * (restartPausesMs.at(-1) ?? 0))
  expect(starts()).toEqual(before)
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
  const { homeless } = await committer.commit({ ...emptyBatch, entries: lines.join('\n') })
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
  await eventually('it is told of', async () => notices.length > 0)
  await commit('two')
  expect(notices[0]).toHaveProperty('processingFailed')
  expect(storedIds()).toEqual(['one', 'two'])
})

test('commits are counted, those of a thread that replaces another as well, and what changes nothing is not', async () => {
  await committer.close()
  const figures = new CommitFigures()
  committer = startCommitter({ figures })
  await commit('one')
  await expect(commit('two', 'die inside the transaction')).rejects.toThrow()
  await committer.commit(emptyBatch)
  await commit('three')
  expect(figures.entries.read()).toMatchObject({ sum: 2 })
  expect(figures.entries.read().cumulative.at(-1)).toBe(2)
  expect(figures.seconds.read().cumulative.at(-1)).toBe(2)
})

test('an empty batch is written to the log of a box to which nothing was published', async () => {
  const logged = () => Bun.file(`${file}-wal`).bytes()
  await commit('one')
  const before = await logged()
  await committer.commit(emptyBatch)
  expect(Buffer.from(await logged()).equals(Buffer.from(before))).toBe(false)
  using database = new Database(file, { readonly: true })
  expect(database.query('SELECT revision FROM box').all()).toEqual([{ revision: 0 }])
})

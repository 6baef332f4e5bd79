import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, readlinkSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { emptyBatch } from '../../../../src/capture/write-batch.ts'
import type { ProcessingNotice } from '../../../../src/processing/processing.ts'
import { CommitThread } from '../../../../src/storage/sqlite/commit/commit-thread.ts'
import {
  type CommitReply,
  encodeRequest,
  WaitingMessages,
} from '../../../../src/storage/sqlite/commit/worker-messages.ts'
import { type Connection, openConnection } from '../../../../src/storage/sqlite/database/connection.ts'
import { migrateDatabase } from '../../../../src/storage/sqlite/database/migrations.ts'
import { encodeEntries } from '../../../../src/storage/sqlite/ledger/ledger-codec.ts'
import { WorkMark } from '../../../../src/storage/sqlite/steps/slow-entries.ts'
import { eventually } from '../../../harness/eventually.ts'
import { trackedEvent } from '../../../report/sample-entries.ts'
import { storeEntries } from '../stored-entries.ts'

let folder = ''
let file = ''
let operator: Connection

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'capture-commit-')))
  file = join(folder, 'capture.db')
  operator = openConnection(file)
  migrateDatabase({ connection: operator, snapshotDir: folder, now: 0, assertAlone: () => {} })
  operator.raw.run(
    "INSERT INTO account (id, handle, settings, site_revision, changed_at_revision, created_at) VALUES ('account-a', 'a', ?, 0, 0, 0)",
    [JSON.stringify({ timezone: 'UTC', domains: [], origins: [], goals: [], funnels: [] })],
  )
})

afterEach(() => {
  operator.raw.close()
  rmSync(folder, { recursive: true, force: true })
})

/** The thread, and one batch after the other, each answered; and what an operator should hear. */
function startThread({ messages = new WaitingMessages() } = {}) {
  let replied = (_reply: CommitReply) => {}
  const notices: ProcessingNotice[] = []
  const thread = new CommitThread({
    postMessage: (reply) => (isNotice(reply) ? notices.push(reply) : replied(reply)),
  })
  const ask = (message: string) =>
    new Promise<CommitReply>((resolve) => {
      replied = resolve
      thread.receive(message)
    })
  thread.receive({ messages: messages.memory, figures: null, mark: new WorkMark().memory })
  thread.receive(encodeRequest({ open: file, version: '1.0.0' }))
  return {
    notices,
    commit: (id = 'event-1') =>
      ask(
        encodeRequest({
          commit: { ...emptyBatch, entries: encodeEntries([trackedEvent({ id })]).join('\n') },
        }),
      ),
    close: () => ask(encodeRequest({ close: true })),
  }
}

const isNotice = (reply: CommitReply): reply is ProcessingNotice =>
  typeof reply === 'object' && ('processingFailed' in reply || 'setAside' in reply)

const refuseEntries = () =>
  operator.raw.run("CREATE TRIGGER refuse BEFORE INSERT ON ledger BEGIN SELECT RAISE(ABORT, 'no room'); END")
const acceptEntries = () => operator.raw.run('DROP TRIGGER refuse')

test('a commit that fails is answered with its reason, and the next one is tried anew', async () => {
  const thread = startThread()
  refuseEntries()
  expect(await thread.commit()).toEqual({ failed: 'no room', batches: 1 })
  acceptEntries()
  expect(await thread.commit()).toBe(1)
  await thread.close()
})

test('what was committed is processed without being asked for', async () => {
  const thread = startThread()
  await thread.commit()
  await eventually('it is processed', async () => processedCount() === 1)
  await thread.close()
})

test('while a message waits, a step that folds takes one entry', async () => {
  const count = 12
  operator.raw.run('CREATE TABLE step (cursor INTEGER)')
  operator.raw.run(
    'CREATE TRIGGER note AFTER UPDATE OF cursor ON processing BEGIN INSERT INTO step VALUES (NEW.cursor); END',
  )
  storeEntries(
    file,
    Array.from({ length: count }, (_, number) => trackedEvent({ id: `event-${number}` })),
  )
  const messages = new WaitingMessages()
  // The request that opens the thread, and one that never arrives.
  messages.noteSent()
  messages.noteSent()
  const thread = startThread({ messages })
  await eventually('all are processed', async () => processedCount() === count)
  expect(operator.raw.query('SELECT cursor FROM step').values().flat()).toEqual(
    Array.from({ length: count }, (_, index) => index + 1),
  )
  await thread.close()
})

test('commits are answered while processing fails, which goes on once it can', async () => {
  operator.raw.run("CREATE TRIGGER refuse BEFORE UPDATE ON processing BEGIN SELECT RAISE(ABORT, 'not now'); END")
  const thread = startThread()
  for (let commit = 0; commit < 20; commit++) {
    expect(await thread.commit()).toBe(1)
    await Bun.sleep(commit)
  }
  expect(processedCount()).toBe(0)
  operator.raw.run('DROP TRIGGER refuse')
  await eventually('it is processed', async () => processedCount() === 20)
  await thread.close()
})

test('a step that fails by no fault of an entry is told of, without what SQLite says of it', async () => {
  operator.raw.run('ALTER TABLE processing RENAME TO ada_at_acme')
  const thread = startThread()
  await thread.commit()
  await eventually('it is told of', async () => thread.notices.length > 0)
  expect(thread.notices[0]).toEqual({ processingFailed: expect.stringMatching(/^SQLITE_ERROR( in .+)?$/) })
  operator.raw.run('ALTER TABLE ada_at_acme RENAME TO processing')
  await eventually('it is processed', async () => processedCount() === 1)
  await thread.close()
})

test('a record that is set aside is told of, with the reason that is kept', async () => {
  operator.raw.run(
    "CREATE TRIGGER refuse BEFORE INSERT ON device_entry WHEN NEW.sequence = 2 BEGIN SELECT RAISE(ABORT, 'ada@acme.example'); END",
  )
  const thread = startThread()
  for (const id of ['one', 'two', 'three']) await thread.commit(id)
  await eventually('the others are processed', async () => processedCount() === 2)
  const kept = operator.raw.query('SELECT reason FROM set_aside').values()[0]?.[0]
  expect(thread.notices).toEqual([{ setAside: String(kept) }])
  expect(JSON.stringify(thread.notices)).not.toContain('acme.example')
  await thread.close()
})

// Only Linux says which files a process has open.
test.skipIf(process.platform !== 'linux')(
  'however often commits fail, no more files are open than before',
  async () => {
    const thread = startThread()
    refuseEntries()
    await thread.commit()
    const before = openFiles(folder)
    for (let failure = 0; failure < 50; failure++) await thread.commit()
    // One connection may not have been given back yet.
    expect(openFiles(folder)).toBeLessThanOrEqual(before + 2)
    await thread.close()
  },
)

const processedCount = () => operator.raw.query('SELECT count(*) FROM device_entry').values()[0]?.[0]

function openFiles(dir: string): number {
  const names = readdirSync('/proc/self/fd').map((descriptor) => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`)
    } catch {
      return ''
    }
  })
  return names.filter((name) => name.startsWith(dir)).length
}

test('has noted the clock before a record can bear it', async () => {
  const thread = startThread()
  expect(operator.raw.query('SELECT count(*) AS readings FROM clock_seen').get()).toEqual({ readings: 1 })
  await thread.close()
})

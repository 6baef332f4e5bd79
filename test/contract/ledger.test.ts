import type { BatchCommitter } from '../../src/capture/write-batch.ts'
import type { Clock } from '../../src/lib/clock.ts'
import { InlineCommitter } from '../../src/storage/sqlite/commit/batch-transaction.ts'
import { GroupCommit } from '../../src/storage/sqlite/commit/group-commit.ts'
import { latestEntryIds } from '../../src/storage/sqlite/commit/latest-entry-ids.ts'
import { WorkerCommitter } from '../../src/storage/sqlite/commit/worker-committer.ts'
import { SqliteLedger } from '../../src/storage/sqlite/ledger/ledger.ts'
import { bundledWorker } from '../harness/bundled-worker.ts'
import { TemporaryDatabase } from '../storage/sqlite/temporary-database.ts'
import { ledgerContract, type OpenedLedger } from './ledger.ts'

const accountIds = ['account-a', 'account-b'] as const

async function openLedger(
  clock: Clock,
  committerOf: (database: TemporaryDatabase) => BatchCommitter,
): Promise<OpenedLedger> {
  const database = new TemporaryDatabase()
  const connection = database.connect()
  for (const id of accountIds) database.addAccount(id)
  const groupCommit = new GroupCommit(committerOf(database), clock)
  database.onClose(() => groupCommit.close())
  return {
    ledger: new SqliteLedger(database.reader(), groupCommit),
    accountIds,
    elsewhere: () => new SqliteLedger(database.reader(), groupCommit),
    holdWriting: () => {
      connection.raw.run('BEGIN IMMEDIATE')
      return { [Symbol.dispose]: () => void connection.raw.run('ROLLBACK') }
    },
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  }
}

ledgerContract('ledger in SQLite, written by the calling thread', (clock) =>
  openLedger(clock, ({ file }) => new InlineCommitter(file, clock)),
)

/** The thread is never given up: what it is promised here to do is right, however long a busy machine takes. */
const noTicksMs = 2 ** 30
const workerFile = await bundledWorker(new URL('../../src/cli/workers/ledger-worker.ts', import.meta.url))

ledgerContract('ledger in SQLite, written by a thread of its own', (clock) =>
  openLedger(clock, (database) => {
    const reader = database.reader()
    return new WorkerCommitter({
      workerFile,
      databaseFile: database.file,
      version: '1.0.0',
      latestEntryIds: (count) => latestEntryIds(reader, count),
      onNotice: () => {},
      tickMs: noTicksMs,
    })
  }),
)

import { boxDatabases } from '../open.ts'
import type { CopyOrder } from '../threads/backup-threads.ts'
import { answerInThread } from '../threads/one-answer.ts'
import { takeLowPriority } from './thread-priority.ts'

// The thread that copies a database: SQLite does that in one call, which may take minutes.
answerInThread<CopyOrder, void>(async ({ databaseFile, copy }) => {
  takeLowPriority()
  const { copyDatabaseInPassing } = await boxDatabases()
  copyDatabaseInPassing(databaseFile, copy)
})

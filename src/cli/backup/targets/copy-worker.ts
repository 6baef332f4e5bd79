import { answerInThread } from '../../../lib/thread/one-answer.ts'
import { boxDatabases } from '../../open.ts'
import type { CopyOrder } from './copy-in-thread.ts'
import { takeLowPriority } from './thread-priority.ts'

// The thread that copies a database: SQLite does that in one call, which may take minutes.
answerInThread<CopyOrder, void>(async ({ databaseFile, copy }) => {
  takeLowPriority()
  const { copyDatabaseInPassing } = await boxDatabases()
  copyDatabaseInPassing(databaseFile, copy)
})

import type { LinkPlace } from '../../cluster/cluster-log.ts'
import { systemClock } from '../../lib/clock.ts'
import { makeFollower } from '../../storage/sqlite/cluster/joined-database.ts'
import { answerInThread } from '../threads/one-answer.ts'
import { takeModestPriority } from './thread-priority.ts'

// The thread that checks a copy of the leader's database: SQLite does that in one call, which may take minutes.
answerInThread<string, LinkPlace | null>(async (databaseFile) => {
  takeModestPriority()
  return makeFollower(databaseFile, systemClock)
})

import { ReservedRefusalLog } from '../../src/capture/refusal-reserve.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { FileRefusalReserve } from '../../src/storage/filesystem/refusal-reserve.ts'
import { SqliteChallengeStore, SqliteRefusalLog } from '../../src/storage/sqlite/capture/refusal-log.ts'
import { InlineCommitter } from '../../src/storage/sqlite/commit/batch-transaction.ts'
import { GroupCommit } from '../../src/storage/sqlite/commit/group-commit.ts'
import { TemporaryDatabase } from '../storage/sqlite/temporary-database.ts'
import { challengeStoreContract } from './challenge-store.ts'
import { refusalLogContract } from './refusal-log.ts'

const accountIds = ['account-a', 'account-b'] as const

function boxOfTwo(): TemporaryDatabase {
  const database = new TemporaryDatabase()
  for (const id of accountIds) database.addAccount(id)
  return database
}

function commitTo(database: TemporaryDatabase): GroupCommit {
  const groupCommit = new GroupCommit(new InlineCommitter(database.file, systemClock), systemClock)
  database.onClose(() => groupCommit.close())
  return groupCommit
}

refusalLogContract('refusal log in SQLite', async () => {
  const database = boxOfTwo()
  const groupCommit = commitTo(database)
  return {
    log: new SqliteRefusalLog(database.reader(), groupCommit),
    elsewhere: () => new SqliteRefusalLog(database.reader(), commitTo(database)),
    accountIds,
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  }
})

refusalLogContract('refusal log in SQLite with a reserve', async () => {
  const database = boxOfTwo()
  const logOf = (groupCommit: GroupCommit) => {
    const reserve = new FileRefusalReserve(database.dir)
    reserve.makeRoom()
    return new ReservedRefusalLog(new SqliteRefusalLog(database.reader(), groupCommit), reserve)
  }
  return {
    log: logOf(commitTo(database)),
    elsewhere: () => logOf(commitTo(database)),
    accountIds,
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  }
})

challengeStoreContract('challenge store in SQLite', async () => {
  const database = boxOfTwo()
  return {
    store: new SqliteChallengeStore(commitTo(database)),
    restarted: async () => new SqliteChallengeStore(commitTo(database)),
    accountIds,
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  }
})

import type { Clock } from '../../src/lib/clock.ts'
import { SqliteAccountStore } from '../../src/storage/sqlite/account/account-store.ts'
import { InlineCommitter } from '../../src/storage/sqlite/commit/batch-transaction.ts'
import { GroupCommit } from '../../src/storage/sqlite/commit/group-commit.ts'
import { SqliteLedger } from '../../src/storage/sqlite/ledger/ledger.ts'
import { SqliteCatalogue } from '../../src/storage/sqlite/site/catalogue.ts'
import { SqlitePublicationLog } from '../../src/storage/sqlite/site/publication-log.ts'
import { SqliteKeptFolders } from '../../src/storage/sqlite/site/site-staging.ts'
import { SqliteSiteStore } from '../../src/storage/sqlite/site/site-store.ts'
import { trackedEvent } from '../report/sample-entries.ts'
import { TemporaryDatabase } from '../storage/sqlite/temporary-database.ts'
import { accountStoreContract } from './account-store.ts'
import { keptFoldersContract } from './kept-folders.ts'
import type { AccountStores, OpenedAccounts } from './opened-accounts.ts'
import { siteStoreContract } from './site-store.ts'

async function open(clock: Clock): Promise<OpenedAccounts> {
  const database = new TemporaryDatabase()
  const groupCommit = new GroupCommit(new InlineCommitter(database.file, clock), clock)
  database.onClose(() => groupCommit.close())
  const ledger = new SqliteLedger(database.reader(), groupCommit)
  return {
    here: stores(database, clock),
    elsewhere: stores(database, clock),
    capture: (accountId) => ledger.append([trackedEvent({ id: crypto.randomUUID(), accountId })]),
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  }
}

function stores(database: TemporaryDatabase, clock: Clock): AccountStores {
  const connection = database.connect()
  return {
    accounts: new SqliteAccountStore(connection, clock),
    catalogue: new SqliteCatalogue(database.reader()),
    sites: new SqliteSiteStore(connection, database.dir),
    folders: new SqliteKeptFolders(database.reader()),
    publications: new SqlitePublicationLog(connection, database.reader()),
  }
}

accountStoreContract('account store in SQLite', open)
siteStoreContract('site store and catalogue in SQLite', open)
keptFoldersContract('kept folders and publication log in SQLite', open)

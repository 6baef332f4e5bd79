import { afterAll } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SqliteAccountStore } from '../../src/storage/sqlite/account/account-store.ts'
import { SqliteSigningKeyStore } from '../../src/storage/sqlite/account/signing-key-store.ts'
import { type Connection, openConnection } from '../../src/storage/sqlite/database/connection.ts'
import { migrateDatabase } from '../../src/storage/sqlite/database/migrations.ts'
import { signingKeyStoreContract } from './signing-key-store.ts'

const dirs: string[] = []
const connections: Connection[] = []
afterAll(() => {
  for (const { raw } of connections) raw.close()
  for (const dir of dirs) rmSync(dir, { recursive: true })
})

function connect(dir: string): Connection {
  const connection = openConnection(join(dir, 'capture.db'))
  connections.push(connection)
  migrateDatabase({ connection, snapshotDir: join(dir, 'snapshots'), now: 0, assertAlone: () => {} })
  return connection
}

signingKeyStoreContract('signing key store in SQLite', (clock) => {
  const dir = mkdtempSync(join(tmpdir(), 'capture-keys-'))
  dirs.push(dir)
  return {
    open: () => SqliteSigningKeyStore.open(connect(dir), clock),
    revision: () => new SqliteAccountStore(connect(dir), clock).revision(),
  }
})

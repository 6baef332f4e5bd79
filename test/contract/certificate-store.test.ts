import { afterAll } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Connection, openConnection } from '../../src/storage/sqlite/database/connection.ts'
import { migrateDatabase } from '../../src/storage/sqlite/database/migrations.ts'
import { SqliteCertificateStore, SqliteOrderLog } from '../../src/storage/sqlite/https/certificate-store.ts'
import { memoryStores } from '../https/keeper/memory-stores.ts'
import { certificateStoreContract } from './certificate-store.ts'

const dirs: string[] = []
const connections: Connection[] = []
afterAll(() => {
  for (const { raw } of connections) raw.close()
  for (const dir of dirs) rmSync(dir, { recursive: true })
})

function open(dir: string) {
  const connection = openConnection(join(dir, 'capture.db'))
  connections.push(connection)
  migrateDatabase({ connection, snapshotDir: join(dir, 'snapshots'), now: 0, assertAlone: () => {} })
  return { certificates: new SqliteCertificateStore(connection), orders: new SqliteOrderLog(connection) }
}

certificateStoreContract('certificates in SQLite', () => {
  const dir = mkdtempSync(join(tmpdir(), 'capture-certificates-'))
  dirs.push(dir)
  return { here: open(dir), elsewhere: open(dir) }
})

certificateStoreContract('certificates in memory, for tests', () => {
  const stores = memoryStores()
  return { here: stores, elsewhere: stores }
})

import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { emptyBatch } from '../../../../src/capture/write-batch.ts'
import { BatchTransaction } from '../../../../src/storage/sqlite/commit/batch-transaction.ts'
import { openConnection } from '../../../../src/storage/sqlite/database/connection.ts'
import { migrateDatabase } from '../../../../src/storage/sqlite/database/migrations.ts'

test('an empty batch is written to the disk, and leaves the revision that others watch as it is', () => {
  const folder = mkdtempSync(join(tmpdir(), 'capture-probe-'))
  const file = join(folder, 'capture.db')
  const connection = openConnection(file)
  try {
    migrateDatabase({ connection, snapshotDir: folder, now: 0, assertAlone: () => {} })
    connection.raw.run('INSERT INTO box (id, revision) VALUES (1, 7)')
    const transaction = new BatchTransaction(file)
    const revision = () => connection.raw.query('SELECT revision FROM box').get()
    const before = revision()
    connection.raw.run('PRAGMA wal_checkpoint(TRUNCATE)')
    expect(statSync(`${file}-wal`).size).toBe(0)
    expect(transaction.commit([emptyBatch], 0)).toEqual([{ homeless: [], spent: [] }])
    expect(statSync(`${file}-wal`).size).toBeGreaterThan(0)
    expect(revision()).toEqual(before)
    transaction.close()
  } finally {
    connection.raw.close()
    rmSync(folder, { recursive: true, force: true })
  }
})

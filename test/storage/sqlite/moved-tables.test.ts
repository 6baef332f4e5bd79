// Whoever adds a table decides whether its rows move with an account (docs/decisions/0065).
import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openConnection } from '../../../src/storage/sqlite/database/connection.ts'
import { migrateDatabase } from '../../../src/storage/sqlite/database/migrations.ts'
import { extractedTables, stayingTables } from '../../../src/storage/sqlite/moving/moved-tables.ts'

test('every table moves with an account, or is said to stay', () => {
  const dir = mkdtempSync(join(tmpdir(), 'capture-tables-'))
  try {
    const connection = openConnection(join(dir, 'capture.db'))
    migrateDatabase({ connection, snapshotDir: dir, now: 0, assertAlone: () => {} })
    const tables = connection.raw
      .query<{ name: string }, []>(
        `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> '__drizzle_migrations'`,
      )
      .all()
    connection.raw.close()
    const named = [...extractedTables.map(({ name }) => name), ...stayingTables]
    expect(named.toSorted()).toEqual(tables.map(({ name }) => name).toSorted())
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
})

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { derivedTables, fleetingTables, stateTables } from '../../../src/storage/sqlite/backup/backup-tables.ts'
import { type Connection, openConnection } from '../../../src/storage/sqlite/database/connection.ts'
import { migrateDatabase } from '../../../src/storage/sqlite/database/migrations.ts'

let dir = ''
let database: Connection
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'capture-tables-'))
  database = openConnection(join(dir, 'capture.db'))
  migrateDatabase({ connection: database, snapshotDir: dir, now: 0, assertAlone: () => {} })
})
afterAll(() => {
  database.raw.close()
  rmSync(dir, { recursive: true })
})

const tablesWhere = (condition: string): string[] =>
  database.raw
    .query<{ name: string }, []>(`SELECT name FROM sqlite_schema WHERE type = 'table' AND ${condition}`)
    .all()
    .map(({ name }) => name)

describe('tables of the database', () => {
  test('that are derived or fleeting exist', () => {
    const all = tablesWhere('TRUE')
    expect([...derivedTables, ...fleetingTables].filter((name) => !all.includes(name))).toEqual([])
  })

  test('that belong to the state have row numbers, by which increments send their rows', () => {
    const without = tablesWhere(`sql LIKE '%WITHOUT ROWID%'`)
    expect(stateTables(database.raw).filter((name) => without.includes(name))).toEqual([])
  })

  // A table that processing fills (its state follows from the ledger) belongs to `derivedTables` in backup-tables.ts; add any
  // other one here, so that somebody has thought of it.
  test('that belong to the state are these', () => {
    expect(stateTables(database.raw)).toEqual([
      'account',
      'acme_account',
      'api_token',
      'asset',
      'asset_version',
      'audit_chain',
      'audit_entry',
      'box',
      'certificate',
      'certificate_order',
      'console_role',
      'console_session',
      'console_user',
      'delivered_elsewhere',
      'delivery',
      'delivery_attempt',
      'delivery_pace',
      'destination',
      'domain',
      'domain_suffix',
      'form',
      'goal_since',
      'https_name',
      'invitation',
      'kept_file',
      'kept_folder',
      'moved_signing_key',
      'passkey',
      'publication',
      'receiver_notice',
      'refusal_count',
      'report_share',
      'reserved_domain',
      'retention_state',
      'saved_filter',
      'signing_key',
      'spent_challenge',
      'submission_note',
      'submission_state',
      'tracking_key',
      'visitor_reply',
    ])
  })
})

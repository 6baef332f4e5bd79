import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Connection } from '../../../../src/storage/sqlite/database/connection.ts'
import { TemporaryDatabase } from '../temporary-database.ts'

let database: TemporaryDatabase

beforeEach(() => {
  database = new TemporaryDatabase()
})
afterEach(() => database[Symbol.asyncDispose]())

const pragma = ({ raw }: Connection, name: string): unknown =>
  Object.values(raw.query<Record<string, unknown>, []>(`PRAGMA ${name}`).get() ?? {})[0]

describe('a connection that writes', () => {
  test.each([
    ['journal_mode', 'wal'],
    ['synchronous', 2],
    ['foreign_keys', 1],
    ['trusted_schema', 0],
    ['secure_delete', 1],
  ])('has PRAGMA %s = %p', (name, value) => {
    expect(pragma(database.connect(), name)).toBe(value)
  })

  test.each(['busy_timeout', 'journal_size_limit', 'wal_autocheckpoint'])('has a bound for PRAGMA %s', (name) => {
    expect(pragma(database.connect(), name)).toBeGreaterThan(0)
  })

  test('is opened by several processes that come to a new box at once', async () => {
    const file = join(database.dir, 'new.db')
    const module = join(import.meta.dir, '../../../../src/storage/sqlite/database/connection.ts')
    const opening = `import { openConnection } from ${JSON.stringify(module)}
      for (let i = 0; i < 50; i++) {
        const { raw } = openConnection(${JSON.stringify(file)})
        raw.run('BEGIN IMMEDIATE')
        raw.run('PRAGMA user_version = 1')
        raw.run('COMMIT')
        raw.close()
      }`
    const processes = Array.from({ length: 4 }, () =>
      Bun.spawn([process.execPath, '-e', opening], { stderr: 'pipe', stdout: 'ignore' }),
    )
    const complaints = await Promise.all(processes.map(({ stderr }) => new Response(stderr).text()))
    expect(complaints.join('')).toBe('')
  })

  test('refuses a row that names no account', () => {
    const { raw } = database.connect()
    expect(() => raw.run("INSERT INTO domain (host, account_row) VALUES ('go.test', 99)")).toThrow('FOREIGN KEY')
  })
})

describe('a connection that reads', () => {
  test('cannot write', () => {
    const { raw } = database.reader()
    expect(() => raw.run('DELETE FROM ledger')).toThrow('readonly')
  })

  test('sees what was committed while it is open', () => {
    const reader = database.reader()
    database.addAccount('acme')
    expect(reader.raw.query('SELECT id FROM account').all()).toEqual([{ id: 'acme' }])
  })
})

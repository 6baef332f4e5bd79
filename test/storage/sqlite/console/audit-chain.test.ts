// The lines of the audit log are chained by their hashes, so that a change by anything else shows.
import { afterAll, describe, expect, spyOn, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AuditEntry } from '../../../../src/console/audit/audit-log.ts'
import { newId } from '../../../../src/lib/id.ts'
import { checkChain, SqliteAuditLog } from '../../../../src/storage/sqlite/console/audit-log.ts'
import { type Connection, openConnection } from '../../../../src/storage/sqlite/database/connection.ts'
import { migrateDatabase } from '../../../../src/storage/sqlite/database/migrations.ts'

const dirs: string[] = []
const connections: Connection[] = []
afterAll(() => {
  for (const { raw } of connections) raw.close()
  for (const dir of dirs) rmSync(dir, { recursive: true })
})

const now = 1_700_000_000_000

function opened(file: string): Connection {
  const connection = openConnection(file)
  connections.push(connection)
  return connection
}

/** A log of so many lines, a second apart. */
async function aLog(lines: number) {
  const dir = mkdtempSync(join(tmpdir(), 'capture-audit-'))
  dirs.push(dir)
  const connection = opened(join(dir, 'capture.db'))
  migrateDatabase({ connection, snapshotDir: join(dir, 'snapshots'), now: 0, assertAlone: () => {} })
  const log = new SqliteAuditLog(connection)
  for (let n = 0; n < lines; n++) await log.add(entry({ at: now + n * 1000 }))
  return { log, run: (sql: string) => connection.raw.run(sql), file: join(dir, 'capture.db'), connection }
}

const entry = (differing: Partial<AuditEntry> = {}): AuditEntry => ({
  id: newId(),
  at: now,
  actor: { kind: 'user', id: 'u', label: 'a@agency.example' },
  address: '192.0.2.1',
  action: 'page.publish',
  accountId: 'acme',
  subject: 'launch',
  outcome: 'done',
  before: { state: 'preview' },
  after: { state: 'live' },
  ...differing,
})

test.each([
  [{ accountId: 'acme' }, 'audit_entry_by_account (account_id=? AND id<?)'],
  [{ user: 'a@agency.example' }, 'audit_entry_by_actor (actor_label=? AND id<?)'],
  [{ failed: true }, 'audit_entry_undone (id<?)'],
])('what is asked with %j is found by its index, on every page', async (asked, index) => {
  const { log, connection } = await aLog(1)
  await log.add(entry({ outcome: 'failed' }))
  const prepare = spyOn(connection.raw, 'prepare')
  expect(await log.read({ ...asked, before: 'g', limit: 10 })).toHaveLength('failed' in asked ? 1 : 2)
  const [sql = ''] = prepare.mock.calls.at(-1) ?? []
  const plan = connection.raw.query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${sql}`).all()
  expect(plan.map(({ detail }) => detail)).toEqual([expect.stringContaining(`USING INDEX ${index}`)])
})

describe('a log that only Capture has written', () => {
  test('is sound, and has a head', async () => {
    const { log } = await aLog(3)
    expect(await log.check()).toEqual({
      lines: 3,
      head: { seq: 3, hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
      fault: null,
    })
  })

  test('is sound without a line', async () => {
    const { log } = await aLog(0)
    expect(await log.check()).toEqual({ lines: 0, head: null, fault: null })
  })

  test.each<[string, Partial<AuditEntry>]>([
    ['half a surrogate pair', { subject: 'cut \ud83d' }],
    ['a NUL', { subject: 'a\0b' }],
    ['no change', { before: null, after: null }],
    ['odd names', { after: { __proto__x: 1, '2': 'b', '1': 'a', ünï: '\ud800' } }],
    ['numbers', { after: { big: 1e300, small: -0.1, whole: 3 } }],
  ])('is sound with %s in it', async (_, differing) => {
    const { log } = await aLog(1)
    await log.add(entry(differing))
    await log.add(entry())
    expect(await log.check()).toMatchObject({ lines: 3, fault: null })
  })

  test('is one chain for all who write to it', async () => {
    const { log, file } = await aLog(0)
    const other = new SqliteAuditLog(opened(file))
    for (let n = 0; n < 20; n++) await (n % 3 === 0 ? other : log).add(entry())
    expect(await other.check()).toMatchObject({ lines: 20, fault: null })
  })
})

describe('a line that something else', () => {
  test.each<[string, string, object]>([
    ['has changed', `UPDATE audit_entry SET subject = 'other' WHERE seq = 3`, { fault: 'changed', seq: 3 }],
    ['has dated back', 'UPDATE audit_entry SET at = at - 1 WHERE seq = 1', { fault: 'changed', seq: 1 }],
    ['has emptied of its change', 'UPDATE audit_entry SET after = NULL WHERE seq = 5', { fault: 'changed', seq: 5 }],
    ['has made no JSON', `UPDATE audit_entry SET after = '{' WHERE seq = 2`, { fault: 'changed', seq: 2 }],
    [
      'has moved a value to its neighbour',
      `UPDATE audit_entry SET before = after, after = before WHERE seq = 2`,
      { fault: 'changed', seq: 2 },
    ],
    ['has removed', 'DELETE FROM audit_entry WHERE seq = 3', { fault: 'missing', from: 3, to: 3 }],
    ['has removed at the beginning', 'DELETE FROM audit_entry WHERE seq < 3', { fault: 'missing', from: 1, to: 2 }],
    ['has removed at the end', 'DELETE FROM audit_entry WHERE seq > 3', { fault: 'missing', from: 4, to: 5 }],
    ['has removed with all others', 'DELETE FROM audit_entry', { fault: 'missing', from: 1, to: 5 }],
    [
      'has removed and numbered the rest anew',
      'DELETE FROM audit_entry WHERE seq = 5; UPDATE audit_entry SET seq = 5 WHERE seq = 4',
      { fault: 'missing', from: 4, to: 4 },
    ],
    [
      'has inserted at the end',
      `INSERT INTO audit_entry SELECT 'x', at, actor_kind, actor_id, actor_label, address, action, account_id, subject, outcome,
        before, after, 6, hash FROM audit_entry WHERE seq = 5`,
      { fault: 'inserted', seq: 6 },
    ],
    [
      'has inserted before the beginning',
      `INSERT INTO audit_entry SELECT 'x', at, actor_kind, actor_id, actor_label, address, action, account_id, subject, outcome,
        before, after, 0, hash FROM audit_entry WHERE seq = 5`,
      { fault: 'inserted', seq: 0 },
    ],
    [
      'has inserted with a number that the log never gives',
      `INSERT INTO audit_entry SELECT 'x', at, actor_kind, actor_id, actor_label, address, action, account_id, subject, outcome,
        before, after, -7, hash FROM audit_entry WHERE seq = 5`,
      { fault: 'inserted', seq: -7 },
    ],
    ['has cut off with its end', 'DELETE FROM audit_chain', { fault: 'unanchored' }],
    [
      'has put in the place of the last, with a hash that fits nothing',
      `UPDATE audit_chain SET head_hash = anchor_hash`,
      { fault: 'changed', seq: 5 },
    ],
  ])('%s is named', async (_, sql, fault) => {
    const { log, run } = await aLog(5)
    run(sql)
    expect((await log.check()).fault).toEqual(fault as never)
  })
})

describe('trimming by age', () => {
  test('leaves a sound chain, which goes on', async () => {
    const { log } = await aLog(5)
    expect(await log.eraseBefore(now + 2000)).toBe(2)
    await log.add(entry())
    expect(await log.check()).toMatchObject({ lines: 4, head: { seq: 6 }, fault: null })
  })

  test('of every line leaves a chain that goes on', async () => {
    const { log } = await aLog(5)
    expect(await log.eraseBefore(now + 10_000)).toBe(5)
    expect(await log.check()).toMatchObject({ lines: 0, head: { seq: 5 }, fault: null })
    await log.add(entry())
    expect(await log.check()).toMatchObject({ lines: 1, head: { seq: 6 }, fault: null })
  })

  test('keeps what stands behind a line that is young enough, whatever its own date', async () => {
    const { log } = await aLog(2)
    await log.add(entry({ at: 0 }))
    expect(await log.eraseBefore(now + 1000)).toBe(1)
    expect(await log.check()).toMatchObject({ lines: 2, fault: null })
  })

  test('does not hide what was removed before', async () => {
    const { log, run } = await aLog(5)
    await log.eraseBefore(now + 2000)
    run('DELETE FROM audit_entry WHERE seq = 3')
    expect((await log.check()).fault).toEqual({ fault: 'missing', from: 3, to: 3 })
  })
})

describe('a check of the last lines', () => {
  test('reads no more than it is told to', async () => {
    const { connection, run } = await aLog(10)
    run(`UPDATE audit_entry SET subject = 'other' WHERE seq = 5`)
    expect(checkChain(connection, 5)).toMatchObject({ lines: 5, fault: null })
    expect(checkChain(connection, 6).fault).toEqual({ fault: 'changed', seq: 5 })
  })
})

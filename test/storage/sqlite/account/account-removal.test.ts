import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../../../../src/lib/clock.ts'
import { unfinishedRemovals } from '../../../../src/storage/sqlite/account/account-removal.ts'
import { SqliteAccountStore } from '../../../../src/storage/sqlite/account/account-store.ts'
import { type Connection, openConnection } from '../../../../src/storage/sqlite/database/connection.ts'
import { migrateDatabase } from '../../../../src/storage/sqlite/database/migrations.ts'
import { SqliteSiteStore } from '../../../../src/storage/sqlite/site/site-store.ts'
import { ProcessingSteps } from '../../../../src/storage/sqlite/steps/step.ts'
import { account } from '../../../cli/sample-account.ts'
import { HeldClock } from '../../../contract/budget-store.ts'
import { derivedContent, mixedEntry, storeEntries } from '../stored-entries.ts'

let dir: string
let connection: Connection
let accounts: SqliteAccountStore
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'capture-removal-'))
  connection = openConnection(join(dir, 'capture.db'))
  migrateDatabase({ connection, snapshotDir: dir, now: 0, assertAlone: () => {} })
  accounts = new SqliteAccountStore(connection, new HeldClock())
})
afterEach(() => {
  connection.raw.close()
  rmSync(dir, { recursive: true })
})

/** Publishes an account; answers its id. */
async function publish(handle: string): Promise<string> {
  const publication = {
    handle,
    settings: { ...account().settings, domains: [`go.${handle}.example`] },
    forms: account().forms,
    withdrawnForms: [],
    destinations: [],
    removedDestinations: [],
    trackingKeyFingerprint: 'f'.repeat(64),
    assets: [],
    folder: { siteToml: '', files: [{ path: 'pages/p.html', sha256: 'a'.repeat(64), byteCount: 1 }] },
    note: {
      by: { via: 'command' as const, name: 'root' },
      origin: 'elsewhere' as const,
      subjects: ['site.toml'],
      subjectCount: 1,
    },
    publishedAt: 1,
  }
  await new SqliteSiteStore(connection, dir).publish(publication, () => {})
  return (await accounts.find(handle))?.id ?? 'not published'
}

const rowOf = (id: string): number =>
  connection.raw.query<{ row: number }, [string]>('SELECT row FROM account WHERE id = ?').get(id)?.row ?? -1

/** What a server stores that has not noticed the removal yet. */
const storeRecord = (accountRow: number): void => {
  connection.raw.run(
    `INSERT INTO ledger (account_row, kind, id, received_at, record, checksum) VALUES (?, 1, 'late', 1, '{}', 0)`,
    [accountRow],
  )
}

const records = (): number => connection.raw.query<{ n: number }, []>('SELECT count(*) AS n FROM ledger').get()?.n ?? -1

describe('a removed account', () => {
  test('never shares its number with a later one, so that a late record reaches nobody else', async () => {
    const removed = await publish('acme')
    const row = rowOf(removed)
    await accounts.remove(removed)
    storeRecord(row)
    const later = await publish('acme')
    expect(rowOf(later)).not.toBe(row)
    expect((await accounts.countsOf(later)).records).toBe(0)
  })

  test('leaves nothing that names it', async () => {
    await accounts.remove(await publish('acme'))
    const text = JSON.stringify(connection.raw.query('SELECT * FROM account').all())
    expect(text).not.toContain('acme')
    expect(text).not.toContain('Acme')
  })

  test('is unknown, and its handle and domains are free', async () => {
    await accounts.remove(await publish('acme'))
    expect(await accounts.find('acme')).toBeNull()
    expect(await accounts.list()).toEqual([])
    expect(await accounts.holderOf('go.acme.example')).toBeNull()
    expect(await publish('acme')).not.toBe('not published')
  })
})

describe('finishing removals', () => {
  test('takes away late records', async () => {
    const id = await publish('acme')
    const row = rowOf(id)
    await accounts.remove(id)
    storeRecord(row)
    expect(await accounts.finishRemovals()).toBe(1)
    expect(records()).toBe(0)
  })

  test('takes away what an interrupted removal has left', async () => {
    const id = await publish('acme')
    storeRecord(rowOf(id))
    connection.raw.run('UPDATE account SET removed_at = 1, handle = id')
    expect(await accounts.finishRemovals()).toBe(1)
    expect({ records: records(), again: await accounts.finishRemovals() }).toEqual({ records: 0, again: 0 })
  })

  test('ends one of which nothing but the name was left', async () => {
    const id = await publish('acme')
    await accounts.remove(id)
    expect(unfinishedRemovals(connection)).toEqual([])
    connection.raw.run(`UPDATE account SET settings = '{"name":"Acme Studio"}'`)
    expect(unfinishedRemovals(connection)).toEqual([
      { handle: id, name: 'Acme Studio', begunAt: expect.any(Number), isArrival: false },
    ])
    expect(await accounts.finishRemovals()).toBe(1)
    expect(unfinishedRemovals(connection)).toEqual([])
  })

  test.each(['ledger', 'device'])('is seen to be due where a row of %s is left', async (table) => {
    const id = await publish('acme')
    const row = rowOf(id)
    await accounts.remove(id)
    if (table === 'ledger') storeRecord(row)
    else connection.raw.run(`INSERT INTO device (account_row, id) VALUES (?, 'late')`, [row])
    expect(unfinishedRemovals(connection)).toMatchObject([{ handle: id, name: null }])
    expect(await accounts.finishRemovals()).toBe(1)
    expect(unfinishedRemovals(connection)).toEqual([])
  })

  test('leaves other accounts alone', async () => {
    storeRecord(rowOf(await publish('acme')))
    await accounts.remove(await publish('umbra'))
    expect(await accounts.finishRemovals()).toBe(0)
    expect(records()).toBe(1)
  })
})

test('a removal takes all that processing made of the account, and nothing of another', async () => {
  const [removed, kept] = [await publish('acme'), await publish('umbra')]
  storeEntries(
    join(dir, 'capture.db'),
    [removed, kept].flatMap((accountId) => Array.from({ length: 60 }, (_, number) => mixedEntry(accountId, number))),
  )
  const steps = new ProcessingSteps(connection, systemClock)
  while (steps.run(1000) === 'more');
  const before = derivedRows()
  await accounts.remove(removed)
  const after = derivedRows()
  expect(after).not.toEqual(before)
  // Two tables of the box with one row each; and its names, which stay reserved.
  const others = ['processing', 'audit_chain', 'reserved_domain']
  expect(
    Object.entries(after).filter(([table, rows]) => !others.includes(table) && rows * 2 !== before[table]),
  ).toEqual([])
})

/** Rows by table, of those that processing fills. */
function derivedRows(): Record<string, number> {
  const content = derivedContent(connection.raw)
  return Object.fromEntries(Object.entries(content).map(([table, rows]) => [table, rows.length]))
}

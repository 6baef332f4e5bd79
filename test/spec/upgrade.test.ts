// Before a migration of a database that holds data, a verified snapshot is written; the last two are kept. An older program
// refuses a newer database (docs/backup-and-restore.md, "Back to an earlier version").
import { Database } from 'bun:sqlite'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { aSite, writeSite } from '../harness/a-site.ts'
import { boxStartMsMax } from '../harness/box.ts'
import { type Ran, runCommand } from '../harness/capture-command.ts'
import { formRequest } from '../harness/capture-requests.ts'
import { sendRequest } from '../harness/http.ts'
import { LaterVersion } from '../harness/later-version.ts'
import { startServer } from '../harness/server-process.ts'

const steps = [
  'CREATE TABLE later_1 (a integer)',
  'CREATE TABLE later_2 (a integer)',
  'CREATE TABLE later_3 (a integer)',
]

let dir: string
/** Of later versions, by their names. */
const versions = new Map<string, LaterVersion>()
let sources: string

beforeAll(async () => {
  sources = mkdtempSync(join(tmpdir(), 'capture-later-'))
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'capture-upgrade-')))
  writeFileSync(configFile(), '[server]\nlisten = "127.0.0.1:0"\n[limits]\nmin_free_mb = 0\n')
  writeSite(join(dir, 'site'), aSite({ files: { 'pages/launch.html': 'launch' } }))
  await makeData()
  renameSync(dataDir(), join(sources, 'data'))
}, boxStartMsMax)
afterAll(() => {
  for (const made of [sources, dir]) rmSync(made, { recursive: true, force: true })
})
afterEach(() => rmSync(dataDir(), { recursive: true, force: true }))

const dataDir = () => join(dir, 'data')
const configFile = () => join(dir, 'capture.toml')
const present = (...argv: string[]): Promise<Ran> => runCommand([...argv, '--config', configFile()], dir)
/** Its sources are read alone, and take as long to copy as its commands to run. */
function later(migrations: string[], name = `later-${migrations.length}`): LaterVersion {
  const made = versions.get(name) ?? LaterVersion.make(join(sources, name), migrations)
  versions.set(name, made)
  return made
}
const listAccounts = (version: LaterVersion): Promise<Ran> =>
  version.run(['account', 'list', '--json', '--config', configFile()], dir)

const snapshots = (): string[] => {
  try {
    return readdirSync(join(dataDir(), 'snapshots')).sort()
  } catch {
    return []
  }
}

/** Publishes a site and captures one submission with the program as it is. */
async function makeData(): Promise<void> {
  expect((await present('apply', join(dir, 'site'))).status).toBe(0)
  const server = await startServer(configFile(), dir)
  try {
    const answer = await sendRequest(server.port, formRequest({ fields: { marker: 'before the upgrade' } }))
    expect(answer.status).toBe(200)
  } finally {
    await server.stop()
  }
}

/** Puts the data folder where it was made. */
const holdData = () => cpSync(join(sources, 'data'), dataDir(), { recursive: true })

function tablesOf(file: string): string[] {
  using database = new Database(file, { readonly: true, strict: true })
  const rows = database.query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table'").all()
  return rows.map(({ name }) => name)
}

const databaseFile = () => join(dataDir(), 'capture.db')

describe('a later version', () => {
  test('finds everything, and leaves a snapshot of the database as it was before', async () => {
    holdData()
    const version = later(steps.slice(0, 1))
    const exported = await version.run(['export', 'acme', 'submissions', '--config', configFile()], dir)
    expect([exported.status, exported.stdout]).toEqual([0, expect.stringContaining('before the upgrade')])
    expect(tablesOf(databaseFile())).toContain('later_1')

    const [snapshot = 'none', ...more] = snapshots()
    expect(more).toEqual([])
    const file = join(dataDir(), 'snapshots', snapshot)
    expect(tablesOf(file)).not.toContain('later_1')
    using database = new Database(file, { readonly: true, strict: true })
    expect(database.query('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
    expect(JSON.stringify(database.query('SELECT record FROM ledger').all())).toContain('before the upgrade')
  })

  test('writes no snapshot of a new data folder', async () => {
    expect((await listAccounts(later(steps))).status).toBe(0)
    expect(snapshots()).toEqual([])
  })

  test('writes one snapshot, not one at every start', async () => {
    holdData()
    const version = later(steps.slice(0, 2))
    await listAccounts(version)
    await listAccounts(version)
    expect(snapshots()).toHaveLength(1)
  })

  test('after version keeps the last two snapshots', async () => {
    holdData()
    const kept: string[][] = []
    for (const count of [1, 2, 3]) {
      expect((await listAccounts(later(steps.slice(0, count)))).status).toBe(0)
      kept.push(snapshots())
    }
    const [first = [], second = [], third = []] = kept
    expect([first.length, second.length, third.length]).toEqual([1, 2, 2])
    expect(third).not.toContain(first[0])
    expect(third).toContain(second.find((name) => !first.includes(name)) ?? 'none')
    expect(tablesOf(join(dataDir(), 'snapshots', third.at(-1) ?? ''))).toContain('later_2')
  })

  test('whose migration fails changes nothing: this one goes on as before', async () => {
    holdData()
    const broken = later(['CREATE TABLE later_1 (a integer)', 'INSERT INTO no_such_table VALUES (1)'], 'broken')
    expect((await listAccounts(broken)).status).toBe(1)
    expect(tablesOf(databaseFile())).not.toContain('later_1')
    const exported = await present('export', 'acme', 'submissions')
    expect(exported.stdout).toContain('before the upgrade')
  })

  test('does not change the database under a running server, and says which process to stop', async () => {
    holdData()
    const server = await startServer(configFile(), dir)
    try {
      const { status, stdout, stderr } = await listAccounts(later(steps))
      expect([status, stdout]).toEqual([1, ''])
      expect(stderr).toContain(`process ${server.pid}`)
      expect(tablesOf(databaseFile())).not.toContain('later_1')
      expect((await sendRequest(server.port, formRequest())).status).toBe(200)
    } finally {
      await server.stop()
    }
  })
})

test('a database of a later version is refused by this one, with a sentence that says what to do', async () => {
  holdData()
  await listAccounts(later(steps))
  for (const argv of [['account', 'list'], ['serve'], ['apply', join(dir, 'site')], ['export', 'acme', 'events']]) {
    const { status, stdout, stderr } = await present(...argv)
    expect([argv[0], status, stdout]).toEqual([argv[0], 1, ''])
    expect(stderr).toMatch(/newer version of capture .*\. Run that version, or restore the snapshot/)
  }
  expect(snapshots()).toHaveLength(1)
})

test('two commands of a later version that are started at once both work, and write one snapshot', async () => {
  holdData()
  const version = later(steps.slice(0, 1))
  const ran = await Promise.all([1, 2, 3].map(() => listAccounts(version)))
  expect(ran.map(({ status }) => status)).toEqual([0, 0, 0])
  expect(snapshots()).toHaveLength(1)
})

test('what a killed migration left of its snapshot is removed by the next', async () => {
  holdData()
  mkdirSync(join(dataDir(), 'snapshots'))
  writeFileSync(join(dir, 'data/snapshots/before-migration-2026-01-01T000000000Z.db.unfinished'), 'personal data')
  await listAccounts(later(steps.slice(0, 1)))
  expect(snapshots()).toEqual([expect.stringMatching(/\.db$/)])
})

describe('a second `serve` on the same data folder', () => {
  test('says who holds it, and leaves the first one alone', async () => {
    holdData()
    const server = await startServer(configFile(), dir)
    try {
      const { status, stderr } = await present('serve')
      expect(status).toBe(1)
      expect(stderr).toContain(`process ${server.pid}`)
      expect(stderr).toContain(dataDir())
      expect((await sendRequest(server.port, formRequest())).status).toBe(200)
    } finally {
      await server.stop()
    }
  })

  test('starts when the first one has ended, however it ended', async () => {
    const first = await startServer(configFile(), dir)
    process.kill(first.pid, 'SIGKILL')
    await first.stop().catch(() => {})
    const second = await startServer(configFile(), dir)
    await second.stop()
  })
})

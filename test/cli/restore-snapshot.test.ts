// A later version is tried and found wanting: the earlier one says how to go back, and going back works.
import { Database } from 'bun:sqlite'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { cpSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { aSite } from '../harness/a-site.ts'
import { formRequest, submissionIdOf } from '../harness/capture-requests.ts'
import { sendRequest } from '../harness/http.ts'
import { LaterVersion } from '../harness/later-version.ts'
import { startServer } from '../harness/server-process.ts'
import { ADataFolder } from './a-data-folder.ts'

const toml = '[server]\nlisten = "127.0.0.1:0"\n[limits]\nmin_free_mb = 0\n'
const site = aSite({ files: { 'pages/launch.html': '<h1>Launch</h1>', 'img/logo.svg': '<svg/>' } })
const launchHash = new Bun.CryptoHasher('sha256').update('<h1>Launch</h1>').digest('hex')

/** Of each test. */
let folder: ADataFolder
let made: ADataFolder
let before: string
let after: string

/** A box of this version with a submission, then of a later one with a second, which is told nowhere else. */
beforeAll(async () => {
  made = new ADataFolder(toml)
  await made.apply(site)
  before = await capture()
  const later = LaterVersion.make(made.path('later'), ['CREATE TABLE later (a integer)'])
  expect((await later.run(['account', 'list'], made.dir)).status).toBe(0)
  after = await capture(later.command)
})
afterAll(() => made[Symbol.dispose]())
beforeEach(() => {
  folder = made.copy()
})
afterEach(() => folder[Symbol.dispose]())

async function capture(command?: string[]): Promise<string> {
  const server = await startServer(made.path('capture.toml'), made.dir, command)
  try {
    return submissionIdOf(await sendRequest(server.port, formRequest()))
  } finally {
    await server.stop()
  }
}

const snapshot = (): string => {
  const dir = join(folder.dataDir, 'snapshots')
  return join(dir, readdirSync(dir).find((name) => name.endsWith('.db')) ?? 'none')
}

describe('a downgrade', () => {
  test.each([[['serve']], [['account', 'list']]])(
    'is refused by %s with the line that restores the snapshot',
    async (argv) => {
      const { status, stderr } = await folder.run(argv)
      expect([status, stderr]).toEqual([
        1,
        expect.stringMatching(/newer version of capture .*\. Run that version, or /),
      ])
      expect(stderr).toEndWith(` restore ${snapshot()}\n`)
    },
  )

  test('works by the line that is printed, with the configuration that was named', async () => {
    const { stderr } = await folder.run(['account', 'list', '--config', folder.path('capture.toml')])
    const [, words = ''] = / (restore \S+ --config \S+)\n$/.exec(stderr) ?? []
    await folder.done(words.split(' '))
    expect((await folder.json(['account', 'list'])).accounts).toMatchObject([{ account: 'acme' }])
  })

  test('brings the records back with the contents of the present folder, and counts what stays behind', async () => {
    const restored = await folder.json(['restore', snapshot()])
    expect(restored).toMatchObject({
      from: 'snapshot',
      accounts: 1,
      assets: 2,
      missingAssets: 0,
      leftBehind: { submissions: 1, events: 0, pageViews: 0, clicks: 0, others: 0, accounts: [] },
      undone: { removedAccounts: [], releases: [] },
      erasedAgain: { erasures: 0, records: 0 },
      notCompared: null,
    })
    expect(Math.abs(Date.parse(String(restored.createdAt)) - Date.now())).toBeLessThan(600_000)
    const { stdout } = await folder.done(['export', 'acme', 'submissions'])
    expect([stdout.includes(before), stdout.includes(after)]).toEqual([true, false])
    expect((await folder.json(['doctor'])).status).toBe('ok')
    using aside = new Database(join(String(restored.movedAside), 'capture.db'), { readonly: true })
    expect(JSON.stringify(aside.query('SELECT id FROM ledger').all())).toContain(after)
  })

  test('copies no content: both folders name the same files', async () => {
    const { movedAside } = await folder.json(['restore', snapshot()])
    const file = (dir: string) => join(dir, 'assets', launchHash.slice(0, 2), launchHash)
    expect(statSync(file(folder.dataDir)).ino).toBe(statSync(file(String(movedAside))).ino)
  })

  test('leaves damaged and missing contents out, says how many, and apply stores them again', async () => {
    writeFileSync(join(folder.dataDir, 'assets', launchHash.slice(0, 2), launchHash), '<h1>Lunch!</h1>')
    const { stdout } = await folder.done(['restore', snapshot()])
    expect(stdout).toContain('1 published content that the snapshot names')
    await folder.apply(site)
    expect((await folder.json(['doctor'])).status).toBe('ok')
  })

  test('is offered by doctor too', async () => {
    const { stdout } = await folder.run(['doctor'])
    expect(stdout).toContain(` restore ${snapshot()}\n`)
  })

  test('says that there is no way back where no snapshot is left', async () => {
    rmSync(snapshot())
    expect((await folder.run(['account', 'list'])).stderr).toContain('this version can use none of the snapshots')
  })
})

test('a snapshot is tried on another folder with the contents of its own', async () => {
  writeFileSync(folder.path('try.toml'), 'data_dir = "./try"')
  const restored = await folder.json(['restore', snapshot(), '--config', folder.path('try.toml')])
  expect(restored).toMatchObject({ movedAside: null, assets: 2, missingAssets: 0, leftBehind: null })
  const { stdout } = await folder.done(['export', 'acme', 'submissions', '--config', folder.path('try.toml')])
  expect(stdout).toContain(before)
})

describe('a database that is no snapshot', () => {
  test('is refused where its newest records lie in a log beside it', async () => {
    const copy = folder.path('copy.db')
    cpSync(snapshot(), copy)
    writeFileSync(`${copy}-wal`, 'records')
    const { status, stderr } = await folder.run(['restore', copy])
    expect([status, stderr]).toEqual([1, expect.stringContaining('its latest records are in copy.db-wal beside it')])
  })

  test('is refused when it is cut off, and nothing changes', async () => {
    const copy = folder.path('copy.db')
    cpSync(snapshot(), copy)
    truncateSync(copy, 20_000)
    const names = readdirSync(folder.dir)
    const { status, stderr } = await folder.run(['restore', copy])
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(/is a database that is damaged: .* Nothing was changed/),
    ])
    expect(readdirSync(folder.dir)).toEqual(names)
  })

  test('is refused when a later version has changed it', async () => {
    const copy = folder.path('copy.db')
    cpSync(join(folder.dataDir, 'capture.db'), copy)
    const { status, stderr } = await folder.run(['restore', copy])
    expect([status, stderr]).toEqual([1, expect.stringContaining('newer version of capture')])
  })
})

import { describe, expect, test } from 'bun:test'
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { isHeld, takeFolderLock } from '../../src/storage/lock/folder-lock.ts'
import { openConnection } from '../../src/storage/sqlite/database/connection.ts'
import { aSite } from '../harness/a-site.ts'
import { released, trackedEvent } from '../report/sample-entries.ts'
import { storeEntries } from '../storage/sqlite/stored-entries.ts'
import { ADataFolder } from './a-data-folder.ts'

const site = aSite({ files: { 'pages/launch.html': '<h1>Launch</h1>' } })

interface Checked {
  status: string
  checks: { check: string; status: string; found: string; advice: string | null }[]
}

async function examine(folder: ADataFolder, ...words: string[]) {
  const { status, stdout } = await folder.run(['doctor', '--json', ...words])
  const result = JSON.parse(stdout) as Checked
  const unwell = result.checks.filter((found) => found.status !== 'ok')
  return { exit: status, status: result.status, unwell, checks: result.checks }
}

describe('doctor', () => {
  test('finds nothing wrong with a box as it should be, strictly too', async () => {
    using folder = await ADataFolder.with(site)
    expect(await examine(folder, '--strict')).toMatchObject({ exit: 0, status: 'ok', unwell: [] })
  })

  test('fails where there is no folder, says how one is made, and makes none', async () => {
    using folder = new ADataFolder()
    const advice = expect.stringMatching(
      /or `capture serve`\. .* the spelling of data_dir and whether its volume is mounted/,
    )
    expect(await examine(folder)).toMatchObject({
      exit: 1,
      unwell: [{ check: 'data folder', found: `${folder.dataDir} does not exist.`, advice }],
    })
    expect(readdirSync(folder.dir)).toEqual(['capture.toml'])
  })

  test('warns of a folder that holds no box: a volume may not be mounted there', async () => {
    using folder = new ADataFolder()
    mkdirSync(folder.dataDir, { mode: 0o700 })
    expect(await examine(folder)).toMatchObject({
      exit: 0,
      unwell: [{ check: 'database', found: 'There is no database yet.', advice: expect.stringContaining('mounted') }],
    })
  })

  test('has something to do for everything that is not well', async () => {
    using folder = await ADataFolder.with(site)
    chmodSync(folder.dataDir, 0o755)
    rmSync(join(folder.dataDir, 'assets'), { recursive: true })
    const { unwell } = await examine(folder)
    expect(unwell.map(({ check }) => check)).toEqual(['data folder', 'contents'])
    expect(unwell.every(({ advice }) => advice !== null && advice.length > 10)).toBe(true)
  })

  test('says of a configuration that cannot be used where the fault is', async () => {
    using folder = new ADataFolder('[server]\nlistn = "127.0.0.1:8080"\n')
    const { exit, unwell } = await examine(folder)
    expect({ exit, unwell }).toMatchObject({
      exit: 1,
      unwell: [{ check: 'config', found: expect.stringContaining('capture.toml:3') }],
    })
  })

  test('minds a folder that others may look into', async () => {
    using folder = await ADataFolder.with(site)
    chmodSync(folder.dataDir, 0o750)
    expect(await examine(folder)).toMatchObject({
      exit: 1,
      unwell: [{ check: 'data folder', advice: `Run \`chmod 700 ${folder.dataDir}\`.` }],
    })
  })

  test('minds a sealing key that others may read, also where a link leads to it', async () => {
    using folder = await ADataFolder.with(site)
    const [kept, elsewhere] = [join(folder.dataDir, 'seal.key'), join(folder.dir, 'key')]
    renameSync(kept, elsewhere)
    symlinkSync(elsewhere, kept)
    expect(await examine(folder)).toMatchObject({ unwell: [] })
    chmodSync(elsewhere, 0o640)
    expect(await examine(folder)).toMatchObject({
      unwell: [{ check: 'secrets', advice: `Run \`chmod 600 ${elsewhere}\`.` }],
    })
  })

  test('minds a disk with less room than is kept free', async () => {
    using folder = new ADataFolder('[limits]\nmin_free_mb = 2147483647\n')
    expect(await examine(folder)).toMatchObject({ exit: 1, unwell: [{ check: 'data folder' }, { check: 'disk' }] })
  })

  test('says of a database that cannot be reached to look at the disk before restoring anything', async () => {
    using folder = await ADataFolder.with(site)
    for (const suffix of ['', '-wal', '-shm']) rmSync(join(folder.dataDir, `capture.db${suffix}`), { force: true })
    mkdirSync(join(folder.dataDir, 'capture.db'))
    const { unwell } = await examine(folder)
    expect(unwell).toMatchObject([{ check: 'database', advice: expect.stringContaining('Do not restore before') }])
  })

  test.each([
    ['no database', (file: string) => writeFileSync(file, 'no database at all, but text')],
    ['cut off', (file: string) => truncateSync(file, 20_000)],
    ['gone', (file: string) => rmSync(file)],
    ['empty', (file: string) => truncateSync(file, 0)],
  ])('says of a database that is %s to restore a backup', async (_what, breakIt) => {
    using folder = await ADataFolder.with(site)
    for (const suffix of ['-wal', '-shm']) rmSync(join(folder.dataDir, `capture.db${suffix}`), { force: true })
    breakIt(join(folder.dataDir, 'capture.db'))
    const { exit, unwell } = await examine(folder)
    expect({ exit, unwell }).toMatchObject({
      exit: 1,
      unwell: [{ check: 'database', advice: expect.stringContaining('capture restore') }],
    })
  })

  test('says of a database of a newer version to run that version', async () => {
    using folder = await ADataFolder.with(site)
    const { raw } = openConnection(join(folder.dataDir, 'capture.db'))
    raw.run(`INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('of-tomorrow', ${Number.MAX_SAFE_INTEGER})`)
    raw.close()
    expect(await examine(folder)).toMatchObject({
      exit: 1,
      unwell: [{ check: 'schema', found: expect.stringContaining('newer') }],
    })
  })

  test('names the published contents that are missing', async () => {
    using folder = await ADataFolder.with(site)
    const hash = new Bun.CryptoHasher('sha256').update('<h1>Launch</h1>').digest('hex')
    rmSync(join(folder.dataDir, 'assets', hash.slice(0, 2), hash))
    expect(await examine(folder)).toMatchObject({
      exit: 1,
      unwell: [{ check: 'contents', found: expect.stringContaining(hash) }],
    })
  })

  test('says who serves from the folder', async () => {
    using folder = await ADataFolder.with(site)
    const lock = takeFolderLock(folder.dataDir, 'serve', 'capture serve on 127.0.0.1:8080')
    const { checks } = await examine(folder)
    if (isHeld(lock)) lock.release()
    const found = `Process ${process.pid} holds the folder: capture serve on 127.0.0.1:8080`
    expect(checks).toContainEqual(
      expect.objectContaining({ check: 'server', status: 'ok', found: expect.stringContaining(found) }),
    )
  })

  test('warns of records that could not be stored', async () => {
    using folder = await ADataFolder.with(site)
    const { raw } = openConnection(join(folder.dataDir, 'capture.db'))
    const hour = Math.floor(Date.now() / 3_600_000)
    raw.run(`INSERT INTO refusal_count SELECT row, ${hour}, 'page', 'storage', '', 7 FROM account`)
    raw.close()
    const warned = {
      status: 'warning',
      unwell: [{ check: 'losses', found: expect.stringContaining('7 pages of The acme studio') }],
    }
    expect(await examine(folder)).toMatchObject({ exit: 0, ...warned })
    expect(await examine(folder, '--strict')).toMatchObject({ exit: 1, ...warned })
  })

  test('names an account whose removal was interrupted, with the command that finishes it', async () => {
    using folder = await ADataFolder.with(site)
    await folder.apply(aSite({ account: 'umbra' }))
    const { raw } = openConnection(join(folder.dataDir, 'capture.db'))
    raw.run(`UPDATE account SET removed_at = ${Date.UTC(2026, 0, 2)}, handle = id WHERE handle = 'acme'`)
    raw.run(`DELETE FROM domain WHERE host = 'go.acme.test'`)
    raw.close()
    const { exit, status, unwell } = await examine(folder)
    const found = expect.stringMatching(/^The removal of "The acme studio", begun on 2026-01-02 00:00:00 UTC, /)
    expect({ exit, status, unwell }).toMatchObject({
      exit: 0,
      status: 'warning',
      unwell: [{ check: 'removal', found }],
    })
    const [, command = ''] = /capture (account remove \S+ --yes)/.exec(unwell[0]?.advice ?? '') ?? []
    await folder.done(command.split(' '))
    expect(await examine(folder, '--strict')).toMatchObject({ exit: 0, unwell: [] })
    expect((await folder.json(['account', 'list'])).accounts).toMatchObject([{ account: 'umbra' }])
  })

  test('finds nothing to do about a removal that came to its end', async () => {
    using folder = await ADataFolder.with(site)
    await folder.done(['account', 'remove', 'acme', '--yes'])
    expect(await examine(folder, '--strict')).toMatchObject({ exit: 0, unwell: [] })
  })

  test('finds nothing to do about records that have just been captured and wait', async () => {
    using folder = await ADataFolder.with(site)
    storeEvents(folder, { count: 1200, receivedAt: Date.now() })
    const { status, checks } = await examine(folder, '--strict')
    expect(status).toBe('ok')
    expect(checks).toContainEqual(
      expect.objectContaining({ found: '1,200 records wait to be processed, none for longer than 15 minutes.' }),
    )
  })

  test('warns of records that have waited for long', async () => {
    using folder = await ADataFolder.with(site)
    storeEvents(folder, { count: 1, receivedAt: Date.UTC(2026, 0, 2) })
    expect(await examine(folder)).toMatchObject({
      exit: 0,
      status: 'warning',
      unwell: [{ check: 'processing', found: expect.stringContaining('2026-01-02 00:00:00 UTC') }],
    })
  })

  test('warns of records that could not be processed, with the latest reason', async () => {
    using folder = await ADataFolder.with(site)
    const { raw } = openConnection(join(folder.dataDir, 'capture.db'))
    const at = Date.UTC(2026, 0, 2)
    raw.run(`INSERT INTO set_aside (sequence, account_row, reason, at)
      VALUES (1, 1, 'Error in one (one.ts:1)', 0), (2, 1, 'TypeError in noteTouch (note-touch.ts:12)', ${at})`)
    raw.close()
    const found =
      '2 records could not be processed; the latest on 2026-01-02 00:00:00 UTC: TypeError in noteTouch (note-touch.ts:12).'
    expect(await examine(folder)).toMatchObject({ exit: 0, unwell: [{ check: 'processing', found }] })
    expect(await examine(folder, '--strict')).toMatchObject({ exit: 1, status: 'warning' })
  })

  test('finds nothing to do about an erasure that no service has come to yet', async () => {
    using folder = await ADataFolder.with(site)
    storeEntries(join(folder.dataDir, 'capture.db'), [
      {
        kind: 'erasure',
        id: 'entry-1',
        accountId: String((await folder.json(['account', 'show', 'acme'])).id),
        receivedAt: Date.UTC(2026, 0, 2),
        erasureId: 'erasure-1',
        personId: null,
        of: 'person',
        records: ['gone-1'],
        isEnd: true,
      },
    ])
    const { unwell, checks } = await examine(folder, '--strict')
    expect(unwell).toEqual([])
    expect(checks).toContainEqual(expect.objectContaining({ found: 'Everything captured has been processed.' }))
  })

  test('names a release that is not as it was stored, and counts it as no record', async () => {
    using folder = await ADataFolder.with(site)
    const { raw } = openConnection(join(folder.dataDir, 'capture.db'))
    const { id: accountId = '' } = raw.query<{ id: string }, []>('SELECT id FROM account').get() ?? {}
    storeEntries(join(folder.dataDir, 'capture.db'), [{ ...released('submission-1', Date.now()), accountId }])
    expect(await examine(folder)).toMatchObject({ status: 'ok', unwell: [] })
    raw.run('UPDATE ledger SET received_at = received_at + 1')
    raw.close()
    const { exit, unwell, checks } = await examine(folder)
    const found = '1 entry about a release or an erasure does not match its checksum: of acme submission-1.'
    expect({ exit, unwell }).toMatchObject({ exit: 1, unwell: [{ check: 'decisions', found }] })
    expect(checks).toContainEqual(expect.objectContaining({ found: '0 records can be read and are as captured.' }))
  })

  test('repeats the note of a proxy until it is trusted', async () => {
    using folder = await ADataFolder.with(site)
    writeFileSync(
      join(folder.dataDir, 'untrusted-proxy.json'),
      '{"peer":"10.0.0.7","seenAt":"2026-11-20T00:00:00.000Z"}',
    )
    expect(await examine(folder)).toMatchObject({
      exit: 0,
      unwell: [{ check: 'proxy', advice: expect.stringContaining('trusted_proxies = ["10.0.0.7"]') }],
    })
    writeFileSync(folder.path('capture.toml'), 'data_dir = "./data"\n[server]\ntrusted_proxies = ["10.0.0.0/8"]\n')
    expect((await examine(folder)).status).toBe('ok')
  })

  test('is shown as lines of status, finding and advice', async () => {
    using folder = new ADataFolder('[limits]\nmin_free_mb = 2147483647\n')
    expect((await folder.run(['doctor'])).stdout).toMatch(/^fault {4}disk: .+\n {9}→ Free space on the disk/m)
  })
})

/** Events that nobody has processed yet. */
function storeEvents({ dataDir }: ADataFolder, { count, receivedAt }: { count: number; receivedAt: number }): void {
  const file = join(dataDir, 'capture.db')
  const { raw } = openConnection(file)
  const { id: accountId = '' } = raw.query<{ id: string }, []>('SELECT id FROM account').get() ?? {}
  raw.close()
  storeEntries(
    file,
    Array.from({ length: count }, (_, number) => trackedEvent({ accountId, id: `event-${number}`, receivedAt })),
  )
}

import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { storedName } from '../../src/asset/stored-name.ts'
import { UstarWriter } from '../../src/lib/ustar.ts'
import { isHeld, takeFolderLock } from '../../src/storage/lock/folder-lock.ts'
import { aSite } from '../harness/a-site.ts'
import { Box } from '../harness/box.ts'
import { formRequest, submissionIdOf } from '../harness/capture-requests.ts'
import { eventually } from '../harness/eventually.ts'
import { builtExecutable } from '../harness/executable.ts'
import { startServer } from '../harness/server-process.ts'
import { TemporaryDatabase } from '../storage/sqlite/temporary-database.ts'
import { ADataFolder } from './a-data-folder.ts'

const site = aSite({ files: { 'pages/launch.html': '<h1>Launch</h1>', 'img/logo.svg': '<svg/>', 'files/a.txt': 'a' } })
const isRoot = process.getuid?.() === 0

/** Everything but the temporary and lock files of a folder, with contents. */
function contentsOf(dir: string): Record<string, string> {
  const names = readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(join(dir, name)).isFile(),
  )
  return Object.fromEntries(names.sort().map((name) => [name, readFileSync(join(dir, name)).toString('base64')]))
}

describe('a backup', () => {
  test('of a running box brings back records, pages and keys on another box', async () => {
    const box = await Box.start([site])
    using other = new ADataFolder()
    const file = other.path('box.backup')
    let submissionId: string
    let link: string
    try {
      submissionId = submissionIdOf(await box.send(formRequest()))
      link = (await box.run(['link', 'sign', 'acme', '--to', 'http://go.acme.test/launch'])).stdout
      expect((await box.run(['backup', file])).status).toBe(0)
    } finally {
      await box.stop()
    }
    expect(await other.json(['restore', file])).toMatchObject({
      accounts: 1,
      assets: 3,
      movedAside: null,
      missingAssets: 0,
    })
    expect((await other.done(['export', 'acme', 'submissions'])).stdout).toContain(submissionId)
    writeFileSync(
      other.path('capture.toml'),
      'data_dir = "./data"\n[server]\nlisten = "127.0.0.1:0"\n[limits]\nmin_free_mb = 0\n',
    )
    const server = await startServer(other.path('capture.toml'), other.dir)
    try {
      const get = (path: string) =>
        fetch(`http://127.0.0.1:${server.port}${path}`, { headers: { host: 'go.acme.test' }, redirect: 'manual' })
      expect(await (await get('/launch')).text()).toBe('<h1>Launch</h1>')
      expect((await get(new URL(link).pathname)).status).toBe(302)
    } finally {
      await server.stop()
    }
  })

  test('taken under load holds every submission that was acknowledged before it began', async () => {
    const box = await Box.start([site])
    using other = new ADataFolder()
    const file = other.path('box.backup')
    try {
      const before: string[] = []
      let isDone = false
      const posting = (async () => {
        while (!isDone) await box.send(formRequest())
      })()
      for (let i = 0; i < 20; i++) before.push(submissionIdOf(await box.send(formRequest())))
      const { status } = await box.run(['backup', file])
      isDone = true
      await posting
      expect(status).toBe(0)
      await other.done(['restore', file])
      const { stdout } = await other.done(['export', 'acme', 'submissions'])
      expect(before.filter((id) => !stdout.includes(id))).toEqual([])
    } finally {
      await box.stop()
    }
  })

  test('is readable by its owner alone', async () => {
    using folder = await ADataFolder.with(site)
    await folder.done(['backup', 'box.backup'])
    expect(statSync(folder.path('box.backup')).mode & 0o777).toBe(0o600)
  })

  test('takes the place of an earlier one and leaves nothing else behind', async () => {
    using folder = await ADataFolder.with(site)
    writeFileSync(folder.path('box.backup'), 'earlier')
    const before = readdirSync(folder.dir).sort()
    const printed = await folder.json(['backup', 'box.backup'])
    expect(printed).toMatchObject({ file: folder.path('box.backup'), assets: 3, missingAssets: 0 })
    expect(printed.bytes).toBe(statSync(folder.path('box.backup')).size)
    expect(readdirSync(folder.dir).sort()).toEqual(before)
  })

  test('that fails leaves the earlier one as it was', async () => {
    using folder = await ADataFolder.with(site)
    writeFileSync(folder.path('box.backup'), 'earlier')
    writeFileSync(join(folder.dataDir, 'capture.db'), 'no database at all')
    expect((await folder.run(['backup', 'box.backup'])).status).toBe(1)
    expect(readFileSync(folder.path('box.backup'), 'utf8')).toBe('earlier')
  })

  test.each(['.', '/dev/null'])('is not written to %s', async (name) => {
    using folder = await ADataFolder.with(site)
    const { status, stderr } = await folder.run(['backup', name])
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining('Name a file to write') })
  })

  test.each(['data/box.backup', 'data/capture.db', 'data/assets/box.backup', 'linked/box.backup', 'linked.backup'])(
    'is not written into the data folder (%s), and changes nothing there',
    async (name) => {
      using folder = await ADataFolder.with(site)
      symlinkSync(folder.dataDir, folder.path('linked'))
      symlinkSync(join(folder.dataDir, 'capture.db'), folder.path('linked.backup'))
      const names = () => readdirSync(folder.dataDir, { recursive: true }).sort()
      const before = names()
      const { status, stderr } = await folder.run(['backup', name])
      expect({ status, stderr }).toEqual({
        status: 1,
        stderr: `${folder.path(name)} is inside the data folder ${folder.dataDir}, which only contains the box's own files. Name a file outside it.\n`,
      })
      expect(names()).toEqual(before)
      expect((await folder.run(['page', 'list', 'acme'])).status).toBe(0)
    },
  )

  test('is written beside the data folder, whatever its name begins with', async () => {
    using folder = await ADataFolder.with(site)
    expect((await folder.run(['backup', 'data.backup'])).status).toBe(0)
  })

  test('says when published contents were missing', async () => {
    using folder = await ADataFolder.with(site)
    rmSync(join(folder.dataDir, 'assets'), { recursive: true })
    const { status, stderr } = await folder.run(['backup', 'box.backup'])
    expect({ status, stderr }).toEqual({ status: 0, stderr: expect.stringContaining('3 published contents missing') })
  })
})

describe('a restore', () => {
  test('moves the folder that is there aside, whole, and says where', async () => {
    using folder = await ADataFolder.with(site)
    await folder.done(['backup', 'box.backup'])
    await folder.done(['page', 'unpublish', 'acme', 'launch'])
    const before = contentsOf(folder.dataDir)
    const { movedAside } = await folder.json(['restore', 'box.backup'])
    expect(await folder.json(['page', 'list', 'acme'])).toMatchObject({ pages: [{ slug: 'launch', state: 'live' }] })
    expect(contentsOf(String(movedAside))['capture.db']).toBe(before['capture.db'])
  })

  test('gives a folder that its owner alone may look into', async () => {
    using folder = await ADataFolder.with(site)
    await folder.done(['backup', 'box.backup'])
    await folder.done(['restore', 'box.backup'])
    expect(statSync(folder.dataDir).mode & 0o777).toBe(0o700)
    expect((await folder.json(['doctor'])).status).toBe('ok')
  })

  test.each(['serve', 'publish'])('is refused while somebody holds the folder (%s), and says who', async (name) => {
    using folder = await ADataFolder.with(site)
    await folder.done(['backup', 'box.backup'])
    const lock = takeFolderLock(folder.dataDir, name, 'capture serve on 127.0.0.1:8080')
    const before = readdirSync(folder.dir)
    const { status, stderr } = await folder.run(['restore', 'box.backup'])
    if (isHeld(lock)) lock.release()
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringContaining(`process ${process.pid} (capture serve on 127.0.0.1:8080)`),
    })
    expect(readdirSync(folder.dir)).toEqual(before)
  })

  test.if(isRoot)('by root belongs to the owner of the folder that was there', async () => {
    using folder = await ADataFolder.with(site)
    await folder.done(['backup', 'box.backup'])
    for (const name of ['', ...readdirSync(folder.dataDir, { recursive: true, encoding: 'utf8' })])
      chownSync(join(folder.dataDir, name), 54321, 54321)
    chmodSync(folder.dir, 0o755)
    await folder.done(['restore', 'box.backup'])
    const owners = ['', ...readdirSync(folder.dataDir, { recursive: true, encoding: 'utf8' })].map(
      (name) => statSync(join(folder.dataDir, name)).uid,
    )
    expect(new Set(owners)).toEqual(new Set([54321]))
  })

  test('that is interrupted leaves things as they were', async () => {
    const large = new Uint8Array(40_000_000).map((_, i) => (i * 31) % 251)
    using folder = await ADataFolder.with(aSite({ files: { 'pages/launch.html': 'Launch', 'files/large.bin': large } }))
    await folder.done(['backup', 'box.backup'])
    const before = readdirSync(folder.dir).sort()
    const child = Bun.spawn([await builtExecutable(), 'restore', 'box.backup'], { cwd: folder.dir, stderr: 'ignore' })
    const staged = () => readdirSync(folder.dir).find((name) => name.includes('.restoring-')) ?? 'none'
    await eventually('it unpacks', async () => existsSync(folder.path(join(staged(), 'assets'))))
    child.kill('SIGTERM')
    expect(await child.exited).toBe(143)
    expect(readdirSync(folder.dir).sort()).toEqual(before)
    expect(await folder.json(['page', 'list', 'acme'])).toMatchObject({ pages: [{ slug: 'launch' }] })
  })

  test('into an empty folder moves nothing aside', async () => {
    using folder = await ADataFolder.with(site)
    await folder.done(['backup', 'box.backup'])
    rmSync(folder.dataDir, { recursive: true })
    mkdirSync(folder.dataDir)
    expect(await folder.json(['restore', 'box.backup'])).toMatchObject({ movedAside: null })
  })
})

const helloHash = new Bun.CryptoHasher('sha256').update('hello').digest('hex')
const manifest = JSON.stringify({ format: 1, createdAt: '2026-11-20T00:00:00.000Z', program: '0.1.0' })

interface Forged {
  manifest?: string
  database?: Uint8Array
  entries?: [name: string, content: string][]
  digest?: string
}

/** An archive as a backup is, but for what is given. */
async function forge(file: string, database: Uint8Array, { entries = [], ...forged }: Forged): Promise<void> {
  const chunks: Uint8Array[] = []
  const writer = new UstarWriter(async (bytes) => void chunks.push(bytes.slice()), 0)
  const add = (name: string, content: string | Uint8Array) => {
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
    return writer.entry({ name, byteCount: bytes.length }, [bytes])
  }
  await add('capture-backup.json', forged.manifest ?? manifest)
  await add('capture.db', forged.database ?? database)
  for (const [name, content] of entries) await add(name, content)
  await add('sha256', `${forged.digest ?? writer.digest()}\n`)
  await writer.end()
  writeFileSync(file, Buffer.concat(chunks))
}

describe('a forged or damaged backup', () => {
  const hello = storedName({ sha256: helloHash, encoding: 'identity' })
  const cases: [what: string, forged: Forged, message: string][] = [
    ['a path out of the folder', { entries: [['../../evil', 'x']] }, 'which no backup has'],
    ['a path into the folder', { entries: [['assets/../capture.toml', 'x']] }, 'which no backup has'],
    ['an absolute path', { entries: [['/etc/evil', 'x']] }, 'which no backup has'],
    ['content under a wrong hash', { entries: [[hello, 'bye']] }, 'does not match its checksum'],
    [
      'the same content twice',
      {
        entries: [
          [hello, 'hello'],
          [hello, 'hello'],
        ],
      },
      'twice or out of order',
    ],
    ['a wrong checksum', { digest: '0'.repeat(64) }, 'does not match its checksum'],
    ['a newer format', { manifest: '{"format":2}' }, 'newer version of capture'],
    ['a manifest that is none', { manifest: '[' }, 'unreadable manifest'],
    ['a manifest without end', { manifest: ' '.repeat(20_000) }, 'in a size that no backup has'],
    ['a database that is none', { database: new Uint8Array(4096).fill(65) }, 'holds a database that is damaged'],
    ['no database at all', { database: new Uint8Array(0) }, 'holds a database that is not from Capture'],
  ]

  test.each(cases)('with %s is refused with a sentence, and nothing changes', async (_what, forged, message) => {
    using folder = await ADataFolder.with(site)
    await forge(folder.path('forged.backup'), await emptyBoxDatabase(folder), forged)
    await expectRefused(folder, message)
  })

  test('with a trigger in its database is refused', async () => {
    using folder = await ADataFolder.with(site)
    const database = await emptyBoxDatabase(folder)
    writeFileSync(folder.path('forged.db'), database)
    const raw = new Database(folder.path('forged.db'))
    raw.run('CREATE TRIGGER evil AFTER INSERT ON box BEGIN DELETE FROM account; END')
    raw.close()
    await forge(folder.path('forged.backup'), readFileSync(folder.path('forged.db')), {})
    rmSync(folder.path('forged.db'))
    await expectRefused(folder, 'it contains "evil"')
  })

  test('that is a forged one with nothing wrong is restored', async () => {
    using folder = await ADataFolder.with(site)
    await forge(folder.path('forged.backup'), await emptyBoxDatabase(folder), { entries: [[hello, 'hello']] })
    expect((await folder.run(['restore', 'forged.backup'])).status).toBe(0)
  })

  test('cut off anywhere is refused', async () => {
    using folder = await ADataFolder.with(site)
    await folder.done(['backup', 'box.backup'])
    const whole = readFileSync(folder.path('box.backup'))
    for (const share of [0, 0.001, 0.3, 0.7, 0.99]) {
      writeFileSync(folder.path('forged.backup'), whole.subarray(0, Math.floor((whole.length - 1536) * share)))
      await expectRefused(folder, 'incomplete')
    }
  })

  test('that does not exist is refused', async () => {
    using folder = await ADataFolder.with(site)
    await expectRefused(folder, 'There is no backup')
  })
})

/** The database of a box without accounts, as a backup copies it. */
async function emptyBoxDatabase(folder: ADataFolder): Promise<Uint8Array> {
  await using empty = new TemporaryDatabase()
  empty.connect().raw.run('VACUUM INTO ?', [folder.path('empty.db')])
  const bytes = readFileSync(folder.path('empty.db'))
  rmSync(folder.path('empty.db'))
  return bytes
}

async function expectRefused(folder: ADataFolder, message: string): Promise<void> {
  const names = readdirSync(folder.dir).sort()
  const pages = await folder.json(['page', 'list', 'acme'])
  const { status, stdout, stderr } = await folder.run(['restore', 'forged.backup'])
  expect({ status, stdout, stderr }).toEqual({ status: 1, stdout: '', stderr: expect.stringContaining(message) })
  expect(readdirSync(folder.dir).sort()).toEqual(names)
  expect(await folder.json(['page', 'list', 'acme'])).toEqual(pages)
}

test('while a backup is written nobody publishes', async () => {
  using folder = await ADataFolder.with(site)
  const lock = takeFolderLock(folder.dataDir, 'publish', 'capture apply (acme)')
  const { status, stderr } = await folder.run(['backup', 'box.backup'])
  if (isHeld(lock)) lock.release()
  expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining('capture apply (acme)') })
  expect(existsSync(folder.path('box.backup'))).toBe(false)
})

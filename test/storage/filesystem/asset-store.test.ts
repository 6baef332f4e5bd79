import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { chmod, mkdir, readdir, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openAssetStore } from '../../../src/storage/filesystem/asset-store.ts'
import { bytesOf, hashOf, keyOf } from '../../contract/asset-store.ts'

const root = mkdtempSync(join(tmpdir(), 'capture-assets-'))
afterAll(() => rmSync(root, { recursive: true }))
const newDir = (): string => join(mkdtempSync(join(root, 'store-')), 'assets')

const page = bytesOf('<h1>Spring</h1>')
const hash = hashOf(page)
const fileOf = (dir: string): string => join(dir, hash.slice(0, 2), hash)

describe('asset store on the filesystem', () => {
  test('a hash lies in the folder of its first two digits, its variants beside it', async () => {
    const dir = newDir()
    const store = await openAssetStore(dir)
    for (const encoding of ['identity', 'br', 'gzip'] as const) await store.put(keyOf(page, encoding), page)
    expect((await readdir(join(dir, hash.slice(0, 2)))).sort()).toEqual([hash, `${hash}.br`, `${hash}.gz`])
  })

  test('is its owner’s alone to read', async () => {
    const dir = newDir()
    await (await openAssetStore(dir)).put(keyOf(page), page)
    const modes = await Promise.all([dir, join(dir, hash.slice(0, 2)), fileOf(dir)].map((path) => stat(path)))
    expect(modes.map(({ mode }) => (mode & 0o777).toString(8))).toEqual(['700', '700', '600'])
  })

  test('does not write again what is there', async () => {
    const dir = newDir()
    const store = await openAssetStore(dir)
    await store.put(keyOf(page), page)
    const { ino, mtimeMs } = await stat(fileOf(dir))
    await store.put(keyOf(page), page)
    expect(await stat(fileOf(dir))).toMatchObject({ ino, mtimeMs })
  })

  test('mends a file that has not the right size', async () => {
    const dir = newDir()
    const store = await openAssetStore(dir)
    await store.put(keyOf(page), page)
    await writeFile(fileOf(dir), 'half')
    await store.put(keyOf(page), page)
    expect(await Bun.file(fileOf(dir)).bytes()).toEqual(page)
  })

  test('opens as a file of the disk, which a server can send without reading it', async () => {
    const dir = newDir()
    const store = await openAssetStore(dir)
    await store.put(keyOf(page), page)
    expect(await store.open(keyOf(page))).toHaveProperty('name', fileOf(dir))
  })

  test('holds after it is opened anew', async () => {
    const dir = newDir()
    await (await openAssetStore(dir)).put(keyOf(page), page)
    expect(await (await (await openAssetStore(dir)).open(keyOf(page)))?.bytes()).toEqual(page)
  })

  test('nothing temporary is left after a put', async () => {
    const dir = newDir()
    await (await openAssetStore(dir)).put(keyOf(page), page)
    expect(await readdir(join(dir, 'tmp'))).toEqual([])
  })

  test('what a crash left half written is removed at the next opening', async () => {
    const dir = newDir()
    await openAssetStore(dir)
    const leftover = join(dir, 'tmp', 'half')
    await writeFile(leftover, 'half')
    const longAgo = new Date(Date.now() - 11 * 60 * 1000)
    await utimes(leftover, longAgo, longAgo)
    await openAssetStore(dir)
    expect(await readdir(join(dir, 'tmp'))).toEqual([])
  })

  test('what another process may be writing right now is let be', async () => {
    const dir = newDir()
    await openAssetStore(dir)
    await writeFile(join(dir, 'tmp', 'half'), 'half')
    await openAssetStore(dir)
    expect(await readdir(join(dir, 'tmp'))).toEqual(['half'])
  })

  test('files that are not its own are not listed', async () => {
    const dir = newDir()
    const store = await openAssetStore(dir)
    await mkdir(join(dir, 'ab'))
    await writeFile(join(dir, 'ab', '.DS_Store'), '')
    await writeFile(join(dir, 'ab', `${hash}.bak`), '')
    await writeFile(join(dir, 'README'), '')
    expect(await Array.fromAsync(store.list())).toEqual([])
  })

  test('a write that the system cuts short is refused with what to do, and leaves nothing', async () => {
    const dir = newDir()
    const program = join(import.meta.dir, 'put-under-limit.ts')
    // 16 blocks; with the signal ignored the system answers EFBIG after the first part, as a full disk answers ENOSPC.
    const limited = `trap '' XFSZ; ulimit -f 16; exec "${process.execPath}" "${program}" "${dir}"`
    const child = Bun.spawn(['sh', '-c', limited], { stdout: 'pipe', stderr: 'inherit' })
    expect(await child.stdout.text()).toStartWith(`Nothing can be stored in ${dir}: the file is larger than`)
    expect((await readdir(dir, { recursive: true })).sort()).toEqual(['tmp'])
  })

  test.skipIf(process.getuid?.() === 0)('a folder that is not writable is refused with what to do', async () => {
    const dir = newDir()
    const store = await openAssetStore(dir)
    await chmod(join(dir, 'tmp'), 0o500)
    await expect(store.put(keyOf(page), page)).rejects.toThrow('Run the command as the owner of the folder')
  })
})

import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { adoptAsset, assetFile, openAssetStore } from '../../../src/storage/filesystem/asset-store.ts'

const bytes = new TextEncoder().encode('<h1>Launch</h1>')
const sha256 = new Bun.CryptoHasher('sha256').update(bytes).digest('hex')
const identity = { sha256, encoding: 'identity' } as const
const brotli = { sha256, encoding: 'br' } as const
/** In memory, or on the disk: no file there can be another name of one where the tests write. */
const elsewhere = ['/dev/shm', '/var/tmp'].find(
  (folder) => existsSync(folder) && statSync(folder).dev !== statSync(tmpdir()).dev,
)

let from: string
let to: string
beforeEach(async () => {
  from = mkdtempSync(join(tmpdir(), 'capture-adopt-'))
  to = mkdtempSync(join(tmpdir(), 'capture-adopt-'))
  await openAssetStore(to)
  const store = await openAssetStore(from)
  await store.put(identity, bytes)
  await store.put(brotli, bytes)
})
afterEach(() => {
  for (const dir of [from, to]) rmSync(dir, { recursive: true, force: true })
})

describe('adopted assets', () => {
  test('are the same files, compressed ones too', async () => {
    expect(await adoptAsset(from, to, sha256)).toBe(true)
    for (const key of [identity, brotli]) {
      expect(statSync(assetFile(to, key)).ino).toBe(statSync(assetFile(from, key)).ino)
    }
  })

  test('stay as they are when the store they come from removes or replaces its own', async () => {
    await adoptAsset(from, to, sha256)
    const store = await openAssetStore(from)
    await store.delete(sha256)
    expect(readFileSync(assetFile(to, identity), 'utf8')).toBe('<h1>Launch</h1>')
  })

  test.skipIf(elsewhere === undefined)('are copied to another volume', async () => {
    const far = mkdtempSync(join(elsewhere ?? '', 'capture-adopt-'))
    try {
      await openAssetStore(far)
      expect(await adoptAsset(from, far, sha256)).toBe(true)
      expect(readFileSync(assetFile(far, identity), 'utf8')).toBe('<h1>Launch</h1>')
      expect(existsSync(assetFile(far, brotli))).toBe(true)
    } finally {
      rmSync(far, { recursive: true })
    }
  })

  test.each([
    ['missing', () => rmSync(assetFile(from, identity))],
    ['damaged', () => writeFileSync(assetFile(from, identity), '<h1>Lunch!</h1>')],
  ])('leave out what is %s, with all that was made of it', async (_what, breakIt) => {
    breakIt()
    expect(await adoptAsset(from, to, sha256)).toBe(false)
    expect([existsSync(assetFile(to, identity)), existsSync(assetFile(to, brotli))]).toEqual([false, false])
  })
})

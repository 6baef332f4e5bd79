import { afterAll } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openAssetStore } from '../../src/storage/filesystem/asset-store.ts'
import { assetStoreContract } from './asset-store.ts'

const dirs: string[] = []
afterAll(async () => {
  for (const dir of dirs) await rm(dir, { recursive: true })
})

assetStoreContract('asset store on the filesystem', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'capture-assets-'))
  dirs.push(dir)
  return openAssetStore(dir)
})

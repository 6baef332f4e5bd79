import { join } from 'node:path'
import type { AssetStore } from '../../asset/asset-store.ts'
import type { UploadStore } from '../../capture/file/upload-store.ts'
import type { Config } from '../../config/config.ts'
import { openAssetStore } from '../../storage/filesystem/asset-store.ts'
import { openUploadStore } from '../../storage/filesystem/upload-store.ts'

export interface OpenedAssets {
  assets: AssetStore
  /** Files of visitors that wait for their submission, with which they become contents. */
  openUploads(): Promise<UploadStore>
  /** Resolves once deletions are done that go on in the background. */
  settled(): Promise<void>
}

/** The contents of a data folder, and those of its cluster behind them. */
export async function openAssets({ dataDir, cluster }: Pick<Config, 'dataDir' | 'cluster'>): Promise<OpenedAssets> {
  const files = await openAssetStore(join(dataDir, 'assets'))
  if (cluster === null)
    return { assets: files, openUploads: () => openUploadStore(dataDir), settled: () => Promise.resolve() }
  const { openStore } = await import('./cluster-store.ts')
  const { SharedAssets, sharedUploads } = await import('../../cluster/shared-assets.ts')
  const assets = new SharedAssets(files, openStore(cluster).contents)
  return {
    assets,
    openUploads: async () => sharedUploads(await openUploadStore(dataDir), assets),
    settled: () => assets.settled(),
  }
}

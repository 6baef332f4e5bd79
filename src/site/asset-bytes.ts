import { createHash } from 'node:crypto'
import type { Asset, AssetVariant } from '../asset/asset.ts'
import type { AssetStore, StoredBytes } from '../asset/asset-store.ts'
import { fileMediaType, imageMediaType } from '../asset/media-type.ts'
import { compressedBytesMax, compressedVariants } from '../asset/variants.ts'
import type { FolderAsset } from './folder-asset.ts'
import type { HashedAsset } from './plan-assets.ts'
import { SiteFaults } from './site-faults.ts'

/** Files read, compressed or written at once. */
const filesAtOnce = 8

export interface ReadingOptions {
  /** The folder's path as it was named, for messages. */
  dir: string
  onDone: (done: number, total: number) => void
}

/** The assets with the hashes of their bytes, which are read piece by piece. @throws SiteFaults */
export async function hashAssets(assets: FolderAsset[], { dir, onDone }: ReadingOptions): Promise<HashedAsset[]> {
  let done = 0
  return severalAtOnce(assets, filesAtOnce, async (asset) => {
    const sha256 = await readable(asset, () => hashFile(asset.file), dir)
    onDone(++done, assets.length)
    return { ...asset, sha256 }
  })
}

async function hashFile(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of Bun.file(file).stream()) hash.update(chunk)
  return hash.digest('hex')
}

/** The hashes of what is published from the folder's files and is no longer held whole: one look for each file of it. */
export async function lostHashes(
  assets: HashedAsset[],
  published: Asset[],
  store: Pick<AssetStore, 'open'>,
): Promise<Set<string>> {
  const inFolder = new Set(assets.map(({ sha256 }) => sha256))
  const wanted = published.filter(({ current }) => inFolder.has(current.sha256)).flatMap(storedBytesOf)
  const lost = new Set<string>()
  await severalAtOnce(wanted, filesAtOnce, async (stored) => {
    if ((await store.open(stored)) === null) lost.add(stored.sha256)
  })
  return lost
}

const storedBytesOf = ({ current: { sha256, variants } }: Asset): StoredBytes[] => [
  { sha256, encoding: 'identity' },
  ...variants.map(({ encoding }) => ({ sha256, encoding })),
]

/** Puts each asset's bytes and compressed variants into the store; answers the variants by hash. @throws SiteFaults */
export async function storeAssets(
  assets: HashedAsset[],
  store: AssetStore,
  { dir, onDone }: ReadingOptions,
): Promise<Map<string, AssetVariant[]>> {
  const unique = [...new Map(assets.map((asset) => [asset.sha256, asset])).values()]
  const variants = new Map<string, AssetVariant[]>()
  const storeOne = async (asset: HashedAsset) => {
    variants.set(asset.sha256, await storeAsset(asset, store, dir))
    onDone(variants.size, unique.length)
  }
  await severalAtOnce(unique, filesAtOnce, storeOne)
  return variants
}

async function storeAsset(asset: HashedAsset, store: AssetStore, dir: string): Promise<AssetVariant[]> {
  const { sha256, byteCount } = asset
  if (byteCount > compressedBytesMax) {
    await store.put({ sha256, encoding: 'identity' }, { byteCount, chunks: unchangedChunks(asset, dir) })
    return []
  }
  const bytes = await readable(asset, () => Bun.file(asset.file).bytes(), dir)
  if (createHash('sha256').update(bytes).digest('hex') !== sha256) throw new SiteFaults(dir, [changedMeanwhile(asset)])
  await store.put({ sha256, encoding: 'identity' }, bytes)
  const variants: AssetVariant[] = []
  for (const { encoding, bytes: encoded } of await compressedVariants(bytes, mediaTypeOf(asset))) {
    await store.put({ sha256, encoding }, encoded)
    variants.push({ encoding, byteCount: encoded.byteLength })
  }
  return variants
}

/** The file's bytes; throws at their end when they are not the ones that were hashed. */
async function* unchangedChunks(asset: HashedAsset, dir: string): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256')
  try {
    for await (const chunk of Bun.file(asset.file).stream()) {
      hash.update(chunk)
      yield chunk
    }
  } catch (error) {
    throw readingFault(asset, error, dir)
  }
  if (hash.digest('hex') !== asset.sha256) throw new SiteFaults(dir, [changedMeanwhile(asset)])
}

async function readable<T>(asset: FolderAsset, read: () => Promise<T>, dir: string): Promise<T> {
  try {
    return await read()
  } catch (error) {
    throw readingFault(asset, error, dir)
  }
}

/** The folder was walked by whoever typed the command; its files are read as the owner of the data folder. */
function readingFault(asset: FolderAsset, error: unknown, dir: string): SiteFaults {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOENT') return new SiteFaults(dir, [changedMeanwhile(asset)])
  const hint = code === 'EACCES' ? '; the owner of the data folder has to be able to read it, whoever runs apply' : ''
  return new SiteFaults(dir, [faultOf(asset, `cannot be read (${code ?? (error as Error).message})${hint}`)])
}

const changedMeanwhile = (asset: FolderAsset) => faultOf(asset, 'changed while it was being published; run apply again')

const faultOf = ({ file }: FolderAsset, message: string) => ({ file, line: null, key: null, message })

function mediaTypeOf({ kind, name }: HashedAsset): string {
  if (kind === 'page') return 'text/html'
  return kind === 'image' ? (imageMediaType(name) ?? 'application/octet-stream') : fileMediaType(name)
}

async function severalAtOnce<T, R>(items: T[], atOnce: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  let next = 0
  const worker = async () => {
    while (next < items.length) {
      const index = next++
      results[index] = await work(items[index] as T)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return results
}

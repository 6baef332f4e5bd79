import { createHash } from 'node:crypto'
import type { Asset, AssetVariant } from '../asset/asset.ts'
import type { AssetStore, StoredBytes } from '../asset/asset-store.ts'
import { fileMediaType, imageMediaType } from '../asset/media-type.ts'
import { isSound } from '../asset/sound-bytes.ts'
import { compressedBytesMax, compressedVariants } from '../asset/variants.ts'
import { severalAtOnce } from '../lib/several-at-once.ts'
import type { FolderAsset } from './folder-assets.ts'
import { notUtf8 } from './page-text.ts'
import type { HashedAsset, Loss } from './plan-assets.ts'
import { type SiteFault, SiteFaults } from './site-faults.ts'

/** Files read, compressed or written at once. */
const filesAtOnce = 8

interface HashingOptions extends ReadingOptions {
  /** Hashes of files that are not read, by their paths. */
  declared?: ReadonlyMap<string, string> | undefined
}

export interface ReadingOptions {
  /** The folder's path as it was named, for messages. */
  dir: string
  onDone: (done: number, total: number) => void
}

/** Hashes the bytes of assets. Pages must be UTF-8 text. @throws SiteFaults */
export async function hashAssets(
  assets: FolderAsset[],
  { dir, declared, onDone }: HashingOptions,
): Promise<HashedAsset[]> {
  let done = 0
  const faults: SiteFault[] = []
  const hashed = await severalAtOnce(assets, filesAtOnce, async (asset) => {
    const read = asset.kind === 'page' ? () => hashPage(asset, faults) : () => hashFile(asset.file)
    const sha256 = declared?.get(asset.file) ?? (await readable(asset, read, dir))
    onDone(++done, assets.length)
    return { ...asset, sha256 }
  })
  if (faults.length > 0) throw new SiteFaults(dir, faults)
  return hashed
}

async function hashPage(page: FolderAsset, faults: SiteFault[]): Promise<string> {
  const bytes = await Bun.file(page.file).bytes()
  faults.push(...notUtf8(page, bytes))
  return hashOf(bytes)
}

async function hashFile(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of Bun.file(file).stream()) hash.update(chunk)
  return hash.digest('hex')
}

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** The hashes of published content that the store has lost or damaged, among the folder's files. Reads all of it. */
export async function lostHashes(
  assets: HashedAsset[],
  published: Asset[],
  store: Pick<AssetStore, 'open'>,
): Promise<Map<string, Loss>> {
  const inFolder = new Set(assets.map(({ sha256 }) => sha256))
  const wanted = published.filter(({ current }) => inFolder.has(current.sha256)).flatMap(storedBytesOf)
  const lost = new Map<string, Loss>()
  await severalAtOnce(wanted, filesAtOnce, async (stored) => {
    const content = await store.open(stored)
    if (content === null) lost.set(stored.sha256, 'lost')
    else if (!(await isSound(stored, content))) lost.set(stored.sha256, 'damaged')
  })
  return lost
}

const storedBytesOf = ({ current: { sha256, variants } }: Asset): StoredBytes[] => [
  { sha256, encoding: 'identity' },
  ...variants.map(({ encoding }) => ({ sha256, encoding })),
]

/** Stores each asset's bytes and compressed variants. Resolves to the variants by hash. @throws SiteFaults */
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
  if (hashOf(bytes) !== sha256) throw new SiteFaults(dir, [changedMeanwhile(asset)])
  const variants = await compressedVariants(bytes, mediaTypeOf(asset))
  await Promise.all([
    store.put({ sha256, encoding: 'identity' }, bytes),
    ...variants.map((variant) => store.put({ sha256, encoding: variant.encoding }, variant.bytes)),
  ])
  return variants.map(({ encoding, bytes: { byteLength } }) => ({ encoding, byteCount: byteLength }))
}

/** Streams the file's bytes, and throws at the end if they differ from the hashed ones. */
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

function readingFault(asset: FolderAsset, error: unknown, dir: string): SiteFaults {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOENT') return new SiteFaults(dir, [changedMeanwhile(asset)])
  return new SiteFaults(dir, [faultOf(asset, `cannot be read (${code ?? (error as Error).message})`)])
}

const changedMeanwhile = (asset: FolderAsset) => faultOf(asset, 'changed while it was being published; run apply again')

const faultOf = ({ shown: file }: FolderAsset, message: string) => ({ file, line: null, key: null, message })

function mediaTypeOf({ kind, name }: HashedAsset): string {
  if (kind === 'page') return 'text/html'
  return kind === 'image' ? (imageMediaType(name) ?? 'application/octet-stream') : fileMediaType(name)
}

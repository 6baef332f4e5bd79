import { readFileSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import type { Asset, AssetVariant } from '../asset/asset.ts'
import { assetKinds, treatedAs } from '../asset/asset-kind.ts'
import type { AssetStore, StoredBytes } from '../asset/asset-store.ts'
import { imageMediaType } from '../asset/media-type.ts'
import { isSound } from '../asset/sound-bytes.ts'
import { compressedBytesMax, compressedVariants } from '../asset/variants.ts'
import { severalAtOnce } from '../lib/several-at-once.ts'
import type { FolderAsset } from './folder-assets.ts'
import { notUtf8 } from './page-text.ts'
import type { HashedAsset, Loss } from './plan-assets.ts'
import { type SiteFault, SiteFaults, type SiteWarning } from './site-faults.ts'

/** Files read, compressed or written at once. */
const filesAtOnce = 8
/** Files hashed at a stretch: some milliseconds. */
const filesPerTurn = 32

interface HashingOptions extends ReadingOptions {
  /** Hashes of files that are not read, by their paths. */
  declared?: ReadonlyMap<string, string> | undefined
  /** Looks into the bytes of files while they are at hand. */
  reader: AssetReader
}

interface AssetReader {
  wants: (asset: FolderAsset) => boolean
  read: (asset: FolderAsset, bytes: Uint8Array) => void
}

interface ReadingOptions {
  /** The folder's path as it was named, for messages. */
  dir: string
  onDone: (done: number, total: number) => void
}

/** Hashes the bytes of assets. Pages must be UTF-8 text. @throws SiteFaults */
export async function hashAssets(
  assets: FolderAsset[],
  { dir, declared, reader, onDone }: HashingOptions,
): Promise<HashedAsset[]> {
  let done = 0
  const faults: SiteFault[] = []
  const hashed = await severalAtOnce(assets, filesAtOnce, async (asset) => {
    const hash = () => (reader.wants(asset) ? hashRead(asset, reader, faults) : hashFile(asset.file))
    const sha256 = declared?.get(asset.file) ?? (await readable(asset, hash, dir))
    onDone(++done, assets.length)
    // Others have their turn.
    if (done % filesPerTurn === 0) await setImmediate()
    return { ...asset, sha256 }
  })
  if (faults.length > 0) throw new SiteFaults(dir, faults)
  return hashed
}

/** Of smaller files, waiting for the disk costs more than reading. */
const readAtOnceMax = 262_144

async function hashRead(asset: FolderAsset, reader: AssetReader, faults: SiteFault[]): Promise<string> {
  const { file, byteCount } = asset
  const bytes = byteCount <= readAtOnceMax ? readFileSync(file) : await Bun.file(file).bytes()
  if (treatedAs(asset.kind) === 'page') faults.push(...notUtf8(asset, bytes))
  reader.read(asset, bytes)
  return hashOf(bytes)
}

async function hashFile(file: string): Promise<string> {
  const hash = new Bun.CryptoHasher('sha256')
  for await (const chunk of Bun.file(file).stream()) hash.update(chunk)
  return hash.digest('hex')
}

const hashOf = (bytes: Uint8Array): string => Bun.SHA256.hash(bytes, 'hex')

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
  const variants = await compressedVariants(bytes, assetKinds[treatedAs(asset.kind)].mediaType(asset.name) ?? '')
  await Promise.all([
    store.put({ sha256, encoding: 'identity' }, bytes),
    ...variants.map((variant) => store.put({ sha256, encoding: variant.encoding }, variant.bytes)),
  ])
  return variants.map(({ encoding, bytes: { byteLength } }) => ({ encoding, byteCount: byteLength }))
}

/** Streams the file's bytes, and throws at the end if they differ from the hashed ones. */
async function* unchangedChunks(asset: HashedAsset, dir: string): AsyncGenerator<Uint8Array> {
  const hash = new Bun.CryptoHasher('sha256')
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

const imagesAtOnce = 8
/** Of an SVG, comments and declarations may stand before its element; the others begin with their mark. */
const lookedAtBytes = 4096

const png = '\x89PNG\r\n\x1a\n'
const byteOrderMarks = ['\xef\xbb\xbf', '\xff\xfe', '\xfe\xff']

/** How the bytes of each type begin, as Latin-1 text (WHATWG MIME Sniffing, section 6.1; AVIF: ISO 14496-12, section 4.3). */
const imageTypes: Readonly<Record<string, { name: string; fits: (text: string) => boolean }>> = {
  'image/apng': { name: 'a PNG', fits: (text) => text.startsWith(png) },
  'image/avif': { name: 'an AVIF', fits: (text) => text.startsWith('ftyp', 4) && /avi[fs]/.test(text.slice(8, 64)) },
  'image/bmp': { name: 'a BMP', fits: (text) => text.startsWith('BM') },
  'image/gif': { name: 'a GIF', fits: (text) => text.startsWith('GIF8') },
  'image/x-icon': { name: 'an icon', fits: (text) => text.startsWith('\0\0\x01\0') || text.startsWith(png) },
  'image/jpeg': { name: 'a JPEG', fits: (text) => text.startsWith('\xff\xd8\xff') },
  'image/png': { name: 'a PNG', fits: (text) => text.startsWith(png) },
  'image/svg+xml': { name: 'an SVG', fits: isSvg },
  'image/webp': { name: 'a WebP', fits: (text) => text.startsWith('RIFF') && text.startsWith('WEBP', 8) },
}

/**
 * Warnings about images whose bytes are none of their type. They are published all the same: images are served with the type of
 * their name and `nosniff`, so that no browser takes them for anything else.
 */
export async function doubtfulImages(assets: readonly FolderAsset[]): Promise<SiteWarning[]> {
  const images = assets.filter(({ kind, name }) => kind !== 'file' && imageMediaType(name) !== null)
  const warnings = await severalAtOnce(images, imagesAtOnce, async ({ name, shown, file }) => {
    const type = imageTypes[imageMediaType(name) ?? '']
    // A file that cannot be read has a fault of its own.
    const bytes = await Bun.file(file)
      .slice(0, lookedAtBytes)
      .bytes()
      .catch(() => null)
    if (type === undefined || bytes === null || type.fits(Buffer.from(bytes).toString('latin1'))) return []
    const message = `is not ${type.name} image, whatever its name says, and browsers will not show it. Save it anew, or rename it`
    return [{ kind: 'doubtful_image' as const, file: shown, line: null, key: null, message }]
  })
  return warnings.flat()
}

/** Text in UTF-16 has NUL as every second byte. */
function isSvg(text: string): boolean {
  const mark = byteOrderMarks.find((mark) => text.startsWith(mark)) ?? ''
  const markup = text.slice(mark.length).replaceAll('\0', '').trimStart()
  return markup.startsWith('<') && markup.toLowerCase().includes('svg')
}

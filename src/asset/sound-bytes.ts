import { promisify } from 'node:util'
import type { ContentEncoding } from './asset.ts'
import { type AssetStore, type StoredBytes, storedEncodings } from './asset-store.ts'
import { compressedBytesMax } from './variants.ts'

/** Contents read at the same time. */
const contentsAtOnce = 8

/**
 * Whether stored bytes equal the published ones: reads all of them, and decompresses variants.
 *
 * @throws if they cannot be read for another reason than damage, such as too many open files
 */
export async function isSound({ sha256, encoding }: StoredBytes, body: Blob): Promise<boolean> {
  try {
    const hash = new Bun.CryptoHasher('sha256')
    if (encoding === 'identity') for await (const chunk of body.stream()) hash.update(chunk)
    else hash.update((await takenApart(encoding, await body.bytes())) ?? '')
    return hash.digest('hex') === sha256
  } catch (error) {
    if (isUnreadable(error)) return false
    throw error
  }
}

/** Whether the disk failed to read the file. Other errors do not mean damage. */
export const isUnreadable = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'EIO'

const options = { maxOutputLength: compressedBytesMax }

/** The decompressed bytes; `null`: they are not validly compressed. */
async function takenApart(encoding: ContentEncoding, bytes: Uint8Array): Promise<Uint8Array | null> {
  // Most commands take nothing apart, and begin 2 ms sooner without it.
  const { brotliDecompress, gunzip } = await import('node:zlib')
  const take = encoding === 'br' ? promisify(brotliDecompress) : promisify(gunzip)
  return take(bytes, options).catch(() => null)
}

/** Reads all stored encodings of the contents, and yields damaged ones in no order. */
export async function* damagedBytes(
  hashes: Iterable<string>,
  store: Pick<AssetStore, 'open'>,
): AsyncGenerator<StoredBytes> {
  let waiting: string[] = []
  const look = async () => (await Promise.all(waiting.map((sha256) => damagedOf(sha256, store)))).flat()
  for (const sha256 of hashes) {
    waiting.push(sha256)
    if (waiting.length < contentsAtOnce) continue
    yield* await look()
    waiting = []
  }
  yield* await look()
}

async function damagedOf(sha256: string, store: Pick<AssetStore, 'open'>): Promise<StoredBytes[]> {
  const damaged: StoredBytes[] = []
  for (const encoding of storedEncodings) {
    const key = { sha256, encoding }
    const body = await store.open(key)
    if (body !== null && !(await isSound(key, body))) damaged.push(key)
  }
  return damaged
}

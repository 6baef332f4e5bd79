import type { AssetStore, StoredBytes } from '../asset/asset-store.ts'
import { isSound, isUnreadable } from '../asset/sound-bytes.ts'
import type { Clock } from '../lib/clock.ts'
import { LargeFiles } from './large-files.ts'

/** Bytes of bodies in memory, and the largest single one: pages are small, downloads go from the disk. */
const heldBytesMax = 32 * 1024 * 1024
const bodyBytesMax = 512 * 1024

/** Whether a body is sent from the disk, through a descriptor of its own. */
export const isFromDisk = (body: Blob): boolean => body.size > bodyBytesMax

/** Under what the bytes are cached: to be made once, not with each request. */
export const bodyKey = ({ sha256, encoding }: StoredBytes): string => sha256 + encoding

/**
 * Small bodies in memory, least recently used out first; larger ones as files that are sent from the disk. Held as
 * Blobs: an answer shares their bytes, where it would copy an array's. What comes into memory is compared with its hash.
 */
export class BodyCache {
  private readonly bodies = new Map<string, Blob>()
  private cachedBytes = 0

  private readonly largeFiles: LargeFiles

  constructor(
    private readonly assets: Pick<AssetStore, 'open'>,
    clock: Clock,
  ) {
    this.largeFiles = new LargeFiles(clock)
  }

  /** A cached body, at once. @param key what `bodyKey` makes of its bytes */
  peek(key: string): Blob | null {
    const body = this.bodies.get(key)
    if (body === undefined) return null
    this.bodies.delete(key)
    this.bodies.set(key, body)
    return body
  }

  /** Bytes that are those that were published; or why there are none. */
  async open(stored: StoredBytes): Promise<Blob | 'missing' | 'damaged'> {
    const file = await this.assets.open(stored)
    if (file === null) return 'missing'
    if (isFromDisk(file)) return (await this.largeFiles.admits(stored, file)) ? file : 'damaged'
    const body = await bytesOf(file)
    if (body === null || !(await isSound(stored, body))) return 'damaged'
    return this.cache(bodyKey(stored), body)
  }

  private cache(key: string, body: Blob): Blob {
    this.cachedBytes += body.size - (this.bodies.get(key)?.size ?? 0)
    this.bodies.set(key, body)
    for (const [oldest, old] of this.bodies) {
      if (this.cachedBytes <= heldBytesMax) break
      this.bodies.delete(oldest)
      this.cachedBytes -= old.size
    }
    return body
  }
}

/** `null`: the disk cannot read them. */
const bytesOf = (file: Blob): Promise<Blob | null> =>
  file.arrayBuffer().then(
    (bytes) => new Blob([bytes]),
    (error) => {
      if (isUnreadable(error)) return null
      throw error
    },
  )

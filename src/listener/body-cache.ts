import type { AssetStore, StoredBytes } from '../asset/asset-store.ts'
import { isSound, isUnreadable } from '../asset/sound-bytes.ts'
import type { Clock } from '../lib/clock.ts'
import { LargeFiles } from './large-files.ts'

/** Limits all cached bodies, and a single one: pages are small, downloads are sent from the disk. */
const heldBytesMax = 32 * 1024 * 1024
const bodyBytesMax = 512 * 1024

/** Whether a body is sent from the disk, which needs a descriptor. */
export const isFromDisk = (body: Blob): boolean => body.size > bodyBytesMax

/** Under what the bytes are cached: to be made once, not with each request. */
export const bodyKey = ({ sha256, encoding }: StoredBytes): string => sha256 + encoding

/**
 * Caches small bodies, least recently used out first; larger ones are sent from the disk. Blobs let answers share the bytes, which
 * arrays would copy. Loaded bytes are verified against their hash.
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

  /** Verified bytes, or why there are none. */
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

/** `null`: unreadable. */
const bytesOf = (file: Blob): Promise<Blob | null> =>
  file.arrayBuffer().then(
    (bytes) => new Blob([bytes]),
    (error) => {
      if (isUnreadable(error)) return null
      throw error
    },
  )

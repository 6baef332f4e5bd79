import type { AssetStore, StoredBytes } from '../asset/asset-store.ts'

/** Bytes of bodies held in memory, and the largest single one: pages are small, downloads go from the disk. */
const heldBytesMax = 32 * 1024 * 1024
const bodyBytesMax = 512 * 1024

/** Whether a body is sent from the disk, through a descriptor of its own. */
export const isFromDisk = (body: Blob): boolean => body.size > bodyBytesMax

/**
 * Small bodies in memory, least recently used out first; larger ones as files that are sent from the disk. Held as
 * Blobs: an answer shares their bytes, where it would copy an array's.
 */
export class BodyCache {
  private readonly held = new Map<string, Blob>()
  private heldBytes = 0

  constructor(private readonly assets: AssetStore) {}

  /** A held body, at once. */
  peek({ sha256, encoding }: StoredBytes): Blob | null {
    const key = sha256 + encoding
    const body = this.held.get(key)
    if (body === undefined) return null
    this.held.delete(key)
    this.held.set(key, body)
    return body
  }

  /** `null` when the store does not hold the bytes. */
  async open(stored: StoredBytes): Promise<Blob | null> {
    const file = await this.assets.open(stored)
    if (file === null || isFromDisk(file)) return file
    return this.hold(stored.sha256 + stored.encoding, new Blob([await file.arrayBuffer()]))
  }

  private hold(key: string, body: Blob): Blob {
    this.heldBytes += body.size - (this.held.get(key)?.size ?? 0)
    this.held.set(key, body)
    for (const [oldest, old] of this.held) {
      if (this.heldBytes <= heldBytesMax) break
      this.held.delete(oldest)
      this.heldBytes -= old.size
    }
    return body
  }
}

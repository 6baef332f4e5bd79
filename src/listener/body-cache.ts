import type { AssetStore, StoredBytes } from '../asset/asset-store.ts'

/** Bytes of bodies held in memory, and the largest single one: pages are small, downloads go from the disk. */
const heldBytesMax = 32 * 1024 * 1024
const bodyBytesMax = 512 * 1024

/** Small bodies in memory, least recently used out first; larger ones as files that are sent from the disk. */
export class BodyCache {
  private readonly held = new Map<string, Uint8Array<ArrayBuffer>>()
  private heldBytes = 0

  constructor(private readonly assets: AssetStore) {}

  /** A held body, at once. */
  peek({ sha256, encoding }: StoredBytes): Uint8Array<ArrayBuffer> | null {
    const key = sha256 + encoding
    const bytes = this.held.get(key)
    if (bytes === undefined) return null
    this.held.delete(key)
    this.held.set(key, bytes)
    return bytes
  }

  /** `null` when the store does not hold the bytes. */
  async open(stored: StoredBytes): Promise<Uint8Array<ArrayBuffer> | Blob | null> {
    const bytes = this.peek(stored)
    if (bytes !== null) return bytes
    const blob = await this.assets.open(stored)
    if (blob === null || blob.size > bodyBytesMax) return blob
    return this.hold(stored.sha256 + stored.encoding, new Uint8Array(await blob.arrayBuffer()))
  }

  private hold(key: string, bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
    const replaced = this.held.get(key)
    if (replaced !== undefined) this.heldBytes -= replaced.byteLength
    this.held.set(key, bytes)
    this.heldBytes += bytes.byteLength
    for (const [oldest, old] of this.held) {
      if (this.heldBytes <= heldBytesMax) break
      this.held.delete(oldest)
      this.heldBytes -= old.byteLength
    }
    return bytes
  }
}

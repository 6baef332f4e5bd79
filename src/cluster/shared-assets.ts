import {
  type AssetStore,
  ContentAway,
  type StoredBody,
  type StoredBytes,
  type StreamedBytes,
} from '../asset/asset-store.ts'
import { storedName } from '../asset/stored-name.ts'
import { faultWords } from '../backup/target/backup-target.ts'
import type { UploadStore } from '../capture/file/upload-store.ts'
import { OperatorError } from '../lib/operator-error.ts'
import type { ContentStore } from './content-store.ts'

/**
 * Contents in files, and in the store of the cluster behind them. `put` resolves once both have them; what is missing
 * here is fetched when it is opened, and stays.
 *
 * The store is asked to delete in the background. What it keeps all the same, since it was away or the process was killed,
 * the leader removes (`ContentStore.clear`). `list` names what is here.
 */
export class SharedAssets implements AssetStore {
  /** By names: whoever opens a content that is being fetched waits for the same. */
  private readonly fetches = new Map<string, Promise<boolean>>()
  /** By hashes. */
  private readonly deletions = new Map<string, Promise<void>>()

  constructor(
    private readonly here: AssetStore,
    private readonly store: ContentStore,
  ) {}

  async put(key: StoredBytes, bytes: Uint8Array | StreamedBytes): Promise<void> {
    await this.here.put(key, bytes)
    await this.share(key)
  }

  /** Puts a content that is here into the store. @throws OperatorError when the store does not take it */
  async share(key: StoredBytes): Promise<void> {
    await this.deletions.get(key.sha256)
    const body = await this.here.open(key)
    if (body === null) return
    await this.store.put(key, body).catch((error) => {
      const fault = faultWords(error)
      if (fault === null) throw error
      throw new OperatorError(`The cluster’s store ${this.store.url} ${fault}. Nothing can be published until it does.`)
    })
  }

  async open(key: StoredBytes): Promise<StoredBody | null> {
    const body = await this.here.open(key)
    if (body !== null) return body
    return (await this.fetched(key)) ? this.here.open(key) : null
  }

  delete(sha256: string): void {
    this.here.delete(sha256)
    const deletion: Promise<void> = this.store
      .delete(sha256)
      .catch(() => {})
      .finally(() => {
        if (this.deletions.get(sha256) === deletion) this.deletions.delete(sha256)
      })
    this.deletions.set(sha256, deletion)
  }

  list(): AsyncIterable<string> {
    return this.here.list()
  }

  /** Resolves once no deletion is under way. */
  async settled(): Promise<void> {
    while (this.deletions.size > 0) await Promise.all(this.deletions.values())
  }

  private fetched(key: StoredBytes): Promise<boolean> {
    const name = storedName(key)
    const known = this.fetches.get(name)
    if (known !== undefined) return known
    const fetch = this.fetch(key).finally(() => this.fetches.delete(name))
    this.fetches.set(name, fetch)
    return fetch
  }

  private async fetch(key: StoredBytes): Promise<boolean> {
    await this.deletions.get(key.sha256)
    try {
      const chunks = await this.store.read(key)
      if (chunks === null) return false
      await this.here.put(key, { byteCount: 0, chunks })
      return true
    } catch (error) {
      const fault = faultWords(error)
      if (fault === null) throw error
      throw new ContentAway(`The cluster’s store ${this.store.url} ${fault}`, { cause: error })
    }
  }
}

/** Files of visitors become contents of the whole cluster with their submission. */
export const sharedUploads = (uploads: UploadStore, assets: SharedAssets): UploadStore => ({
  write: (token, chunks) => uploads.write(token, chunks),
  open: (token) => uploads.open(token),
  note: (token, text) => uploads.note(token, text),
  noted: () => uploads.noted(),
  remove: (token) => uploads.remove(token),
  freeBytes: () => uploads.freeBytes(),
  async keep(token, sha256) {
    await uploads.keep(token, sha256)
    await assets.share({ sha256, encoding: 'identity' })
  },
})

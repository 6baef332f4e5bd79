import { type AssetStore, type StoredBytes, storedEncodings } from '../asset/asset-store.ts'
import { assetsFolder, storedBytesNamed, storedName } from '../asset/stored-name.ts'
import { findHead, touchBundle } from '../backup/format/bundle.ts'
import { readContent, writeContent } from '../backup/format/contents.ts'
import { bundleOf } from '../backup/format/object-names.ts'
import type { Sealer, Unsealer } from '../backup/format/sealing.ts'
import { type BackupTarget, ObjectFault } from '../backup/target/backup-target.ts'

/** What the leader's database says of contents. */
export interface ReferencedContents {
  /** Hashes of all contents that the box names. */
  referenced(): Iterable<string>
  /** Those of the hashes that it does not name. */
  unreferenced(hashes: readonly string[]): string[]
}

/** Nothing that was put since is removed: what names it may not be stored yet. */
const settledMs = 60 * 60 * 1000
const hashesPerLook = 500

/**
 * The contents that all nodes of a cluster share. Every method throws TargetFault.
 *
 * Several nodes may put the same at once: equal bytes are equal when sealed.
 */
export class ContentStore {
  constructor(
    private readonly target: BackupTarget,
    private readonly sealing: Sealer & Unsealer,
  ) {}

  get url(): string {
    return this.target.url
  }

  async put(key: StoredBytes, body: Blob): Promise<void> {
    if (!(await this.touched(key))) await writeContent(this.target, this.sealing, { key, body })
  }

  /** @returns `null`: it is not there. Bytes are valid only once the end is reached. @throws ObjectFault */
  async read(key: StoredBytes): Promise<AsyncIterable<Uint8Array> | null> {
    const head = await findHead(this.target, storedName(key), 'asset')
    return head && readContent({ target: this.target, keys: this.sealing }, key, head)
  }

  /** Deletes every encoding. A head goes before its parts: what remains of a killed deletion is no content. */
  async delete(sha256: string): Promise<void> {
    for (const encoding of storedEncodings) {
      const name = storedName({ sha256, encoding })
      await this.target.delete(name)
      for await (const part of this.target.list(assetsFolder, name)) {
        if (bundleOf(part.name) !== name) break
        await this.target.delete(part.name)
      }
    }
  }

  /** Puts contents that the store lacks and this node has. @throws the signal's reason */
  async supply(here: Pick<AssetStore, 'open'>, contents: Pick<ReferencedContents, 'referenced'>, signal: AbortSignal) {
    const stored = await this.names()
    for (const sha256 of contents.referenced())
      for (const encoding of storedEncodings) {
        signal.throwIfAborted()
        const key = { sha256, encoding }
        if (stored.get(storedName(key))?.isWhole === true) continue
        const body = await here.open(key)
        if (body !== null) await this.put(key, body)
      }
  }

  /** Deletes contents that nobody names any more. @throws the signal's reason */
  async clear(contents: Pick<ReferencedContents, 'unreferenced'>, now: number, signal: AbortSignal) {
    const old = [...(await this.names())].flatMap(([name, { at }]) =>
      at < now - settledMs ? (storedBytesNamed(name)?.sha256 ?? []) : [],
    )
    const hashes = [...new Set(old)]
    for (let first = 0; first < hashes.length; first += hashesPerLook)
      for (const sha256 of contents.unreferenced(hashes.slice(first, first + hashesPerLook))) {
        signal.throwIfAborted()
        await this.delete(sha256)
      }
  }

  /** Hashes of all contents. */
  async hashes(): Promise<Set<string>> {
    const names = [...(await this.names())].filter(([, { isWhole }]) => isWhole)
    return new Set(names.flatMap(([name]) => storedBytesNamed(name)?.sha256 ?? []))
  }

  /** By names: when each was put, and whether it has a head. A killed deletion leaves parts without one. */
  private async names(): Promise<Map<string, { at: number; isWhole: boolean }>> {
    const names = new Map<string, { at: number; isWhole: boolean }>()
    for await (const { name, at } of this.target.list(assetsFolder)) {
      const bundle = bundleOf(name)
      // In the order of names, the head comes first.
      if (!names.has(bundle)) names.set(bundle, { at, isWhole: bundle === name })
    }
    return names
  }

  /** Puts the head again, so that `clear` takes it for new. @returns whether it is there, and sound */
  private async touched(key: StoredBytes): Promise<boolean> {
    const name = storedName(key)
    const head = await findHead(this.target, name, 'asset').catch(unlessDamaged)
    if (head === null) return false
    await touchBundle(this.target, name, head)
    return true
  }
}

function unlessDamaged(error: unknown): null {
  if (error instanceof ObjectFault) return null
  throw error
}

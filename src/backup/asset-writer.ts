import { type AssetStore, storedEncodings } from '../asset/asset-store.ts'
import { isSound } from '../asset/sound-bytes.ts'
import { assetsFolder, storedBytesNamed, storedName } from '../asset/stored-name.ts'
import { writeBundle } from './format/bundle.ts'
import { bundleOf } from './format/object-names.ts'
import type { Sealer } from './format/sealing.ts'
import type { BackupTarget } from './target/backup-target.ts'

interface SentAssets {
  /** Names below `assets/`, in the requested order. */
  names: string[]
  missing: number
}

/** Sends published bytes to a target, each content once. */
export class AssetWriter {
  /** Names of contents at the target; `null`: not known yet. */
  private there: Set<string> | null = null

  constructor(
    private readonly target: BackupTarget,
    private readonly assets: Pick<AssetStore, 'open'>,
  ) {}

  /** Sends the contents that the target lacks, with all variants that the box has. @throws TargetFault, or the signal's reason */
  async send(hashes: Iterable<string>, sealer: Sealer, signal: AbortSignal): Promise<SentAssets> {
    const there = await this.namesThere()
    return gathered(hashes, (sha256) => {
      signal.throwIfAborted()
      return this.sendContent(sha256, sealer, there)
    })
  }

  /** What the target has of these, with nothing sent. @throws TargetFault */
  async present(hashes: Iterable<string>): Promise<SentAssets> {
    const there = await this.namesThere()
    return gathered(hashes, async (sha256) =>
      storedEncodings.map((encoding) => storedName({ sha256, encoding })).filter((name) => there.has(name)),
    )
  }

  /** Whether more bytes of these would have to be sent. @throws TargetFault */
  async lacksMoreThan(bytesMax: number, hashes: Iterable<string>): Promise<boolean> {
    const there = await this.namesThere()
    let bytes = 0
    for (const sha256 of hashes) {
      if (there.has(storedName({ sha256, encoding: 'identity' }))) continue
      bytes += (await this.assets.open({ sha256, encoding: 'identity' }))?.size ?? 0
      if (bytes > bytesMax) return true
    }
    return false
  }

  /** Lists the target again before the next content is sent. */
  forget(): void {
    this.there = null
  }

  /**
   * Puts an object again that is missing or damaged at the target.
   *
   * @param object its name, or that of one of its parts
   * @returns whether the box has sound bytes for it
   */
  async replace(object: string, sealer: Sealer): Promise<boolean> {
    const name = bundleOf(object)
    const key = storedBytesNamed(name)
    const bytes = key === null ? null : await this.assets.open(key)
    if (key === null || bytes === null || !(await isSound(key, bytes))) return false
    await writeBundle(this.target, sealer, { name, header: () => ({ kind: 'asset' }), chunks: bytes.stream() })
    this.there?.add(name)
    return true
  }

  private async sendContent(sha256: string, sealer: Sealer, there: Set<string>): Promise<string[]> {
    const names: string[] = []
    for (const encoding of storedEncodings) {
      const name = storedName({ sha256, encoding })
      const bytes = await this.assets.open({ sha256, encoding })
      if (bytes === null && encoding === 'identity') return []
      if (bytes === null) continue
      if (!there.has(name)) {
        const chunks = bytes.stream()
        await writeBundle(this.target, sealer, { name, header: () => ({ kind: 'asset' }), chunks })
        there.add(name)
      }
      names.push(name)
    }
    return names
  }

  /** Only heads: a bundle without a head was interrupted. */
  private async namesThere(): Promise<Set<string>> {
    if (this.there !== null) return this.there
    const there = new Set<string>()
    for await (const { name } of this.target.list(assetsFolder)) if (bundleOf(name) === name) there.add(name)
    this.there = there
    return there
  }
}

async function gathered(hashes: Iterable<string>, namesOf: (sha256: string) => Promise<string[]>): Promise<SentAssets> {
  const assets: SentAssets = { names: [], missing: 0 }
  for (const sha256 of hashes) {
    const names = await namesOf(sha256)
    assets.names.push(...names.map((name) => name.slice(assetsFolder.length)))
    if (names.length === 0) assets.missing++
  }
  return assets
}

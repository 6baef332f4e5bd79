import type { AssetStore, StoredBytes } from '../../asset/asset-store.ts'
import { damagedBytes } from '../../asset/sound-bytes.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { damagedAssets } from '../asset/damaged-assets.ts'
import type { Diagnosis } from '../check-result.ts'
import type { DatabaseCopy } from './backup-ports.ts'

interface SoundAssets {
  /** The store to back up. */
  assets: Pick<AssetStore, 'open'>
  /** Hashes of contents whose original bytes are damaged. */
  damaged: string[]
}

/**
 * The published contents without damaged ones, which `onDamaged` reports.
 *
 * @throws OperatorError when original bytes are damaged and `skipDamaged` is off
 */
export async function soundAssets(
  copy: DatabaseCopy,
  store: Pick<AssetStore, 'open'>,
  { skipDamaged, onDamaged }: { skipDamaged: boolean; onDamaged: (diagnosis: Diagnosis) => void },
): Promise<SoundAssets> {
  const found = await Array.fromAsync(damagedBytes(copy.hashes(), store))
  if (found.length === 0) return { assets: store, damaged: [] }
  const diagnosis = damagedAssets(found, copy.publishedAs)
  const damaged = found.flatMap(({ sha256, encoding }) => (encoding === 'identity' ? [sha256] : []))
  if (damaged.length > 0 && !skipDamaged) {
    throw new OperatorError(
      `No backup was made. ${diagnosis.found} ${diagnosis.advice} \`capture backup FILE --skip-damaged\` makes one without them.`,
    )
  }
  onDamaged(diagnosis)
  const leftOut = new Set(found.map(nameOf))
  return { assets: { open: async (key) => (leftOut.has(nameOf(key)) ? null : store.open(key)) }, damaged }
}

const nameOf = ({ sha256, encoding }: StoredBytes): string => `${sha256} ${encoding}`

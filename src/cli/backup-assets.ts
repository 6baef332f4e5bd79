import type { AssetStore, StoredBytes } from '../asset/asset-store.ts'
import { damagedBytes } from '../asset/sound-bytes.ts'
import { OperatorError } from '../lib/operator-error.ts'
import type { Connection } from '../storage/sqlite/connection.ts'
import { referencedHashes } from '../storage/sqlite/referenced-hashes.ts'
import { damagedAssetsAdvice, damagedAssetsText } from './damaged-assets.ts'
import { printable } from './output/printable.ts'
import type { Session } from './session.ts'

interface SoundAssets {
  /** What a backup takes. */
  assets: Pick<AssetStore, 'open'>
  /** Hashes of contents whose own bytes are damaged. */
  damagedAssets: string[]
}

/**
 * The published contents without what is damaged of them, which is named on stderr.
 *
 * @throws OperatorError when a content's own bytes are, and nobody asked to go on without
 */
export async function soundAssets(
  reader: Connection,
  store: Pick<AssetStore, 'open'>,
  { skipDamaged, err }: { skipDamaged: boolean; err: Session['err'] },
): Promise<SoundAssets> {
  const damaged = await Array.fromAsync(damagedBytes(referencedHashes(reader), store))
  if (damaged.length === 0) return { assets: store, damagedAssets: [] }
  const text = damagedAssetsText(reader, damaged)
  const damagedAssets = damaged.flatMap(({ sha256, encoding }) => (encoding === 'identity' ? [sha256] : []))
  if (damagedAssets.length > 0 && !skipDamaged) {
    throw new OperatorError(
      `No backup was made. ${text} ${damagedAssetsAdvice} \`capture backup FILE --skip-damaged\` makes one without them.`,
    )
  }
  err.write(`${printable(`Warning: ${text} Left out of the backup. ${damagedAssetsAdvice}`)}\n`)
  const leftOut = new Set(damaged.map(nameOf))
  return { assets: { open: async (key) => (leftOut.has(nameOf(key)) ? null : store.open(key)) }, damagedAssets }
}

const nameOf = ({ sha256, encoding }: StoredBytes): string => `${sha256} ${encoding}`

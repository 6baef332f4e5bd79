import type { AssetStore, StoredBytes } from '../../asset/asset-store.ts'
import { damagedBytes } from '../../asset/sound-bytes.ts'
import { damagedAssets } from '../../operations/asset/damaged-assets.ts'
import type { Connection } from '../../storage/sqlite/connection.ts'
import { publishedAs } from '../../storage/sqlite/published-names.ts'
import { referencedHashes } from '../../storage/sqlite/referenced-hashes.ts'
import { type Finding, fault, ok } from './finding.ts'

/** Reads and hashes all that is published, compressed forms included. */
export async function examineContents(reader: Connection, store: Pick<AssetStore, 'open'>): Promise<Finding> {
  const damaged: StoredBytes[] = await Array.fromAsync(damagedBytes(referencedHashes(reader), store))
  if (damaged.length === 0) return ok('bytes', 'All published contents that are there are as they were published.')
  const { found, advice } = damagedAssets(damaged, (sha256, namesMax) => publishedAs(reader, sha256, namesMax))
  return fault('bytes', found, advice)
}

import type { Asset, AssetVersion } from './asset.ts'

/**
 * What an account has published, without the bytes.
 *
 * Guarantees: `assets` shows one published state of the site, never parts of two.
 */
export interface Catalogue {
  /** Everything published, live or preview, in order of kind and name. */
  assets(accountId: string): Promise<Asset[]>
  /** When each of the assets last got a version that visitors have seen, epoch milliseconds; others are left out. */
  lastSeen(assetIds: readonly string[], now: number): Promise<Map<string, number>>
  /** Every stored version of an asset, latest first. */
  versions(assetId: string): Promise<AssetVersion[]>
}

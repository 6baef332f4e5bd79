import type { AssetStore } from '../asset/asset-store.ts'
import type { Clock } from '../lib/clock.ts'
import type { SiteStore } from './site-store.ts'

export interface Collecting {
  sites: SiteStore
  assets: AssetStore
  clock: Clock
}

/** Looking up this many hashes takes about a millisecond, so that nobody waits. */
const hashesPerLook = 500

/**
 * Deletes bytes that no kept version refers to, from forgotten versions and killed publishes. It runs after the publication is
 * final, so it returns a failure instead of throwing it.
 */
export async function collect(collecting: Collecting): Promise<Error | null> {
  try {
    await collectUnreferenced(collecting)
    return null
  } catch (error) {
    return error as Error
  }
}

async function collectUnreferenced({ sites, assets, clock }: Collecting): Promise<void> {
  await sites.forgetOldVersions(clock.now())
  let hashes: string[] = []
  const look = async (): Promise<void> => {
    await sites.releaseUnreferenced(hashes, (sha256) => assets.delete(sha256))
    hashes = []
  }
  for await (const sha256 of assets.list()) {
    hashes.push(sha256)
    if (hashes.length >= hashesPerLook) await look()
  }
  await look()
}

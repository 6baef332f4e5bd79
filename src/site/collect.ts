import type { AssetStore } from '../asset/asset-store.ts'
import type { Clock } from '../lib/clock.ts'
import type { SiteStore } from './site-store.ts'

export interface Collecting {
  sites: SiteStore
  assets: AssetStore
  clock: Clock
}

/** Hashes looked up at once: a millisecond, in which nobody is kept waiting. */
const hashesPerLook = 500

/**
 * Deletes the bytes that no kept version names any more: of forgotten versions, and of publishes that died. Runs behind
 * what cannot be taken back any more, so a failure is answered and not thrown.
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
    for (const sha256 of await sites.unreferenced(hashes)) await assets.delete(sha256)
    hashes = []
  }
  for await (const sha256 of assets.list()) {
    hashes.push(sha256)
    if (hashes.length >= hashesPerLook) await look()
  }
  await look()
}

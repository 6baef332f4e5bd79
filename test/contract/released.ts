import type { SiteStore } from '../../src/site/site-store.ts'

/** Those of the hashes to which nothing refers. */
export async function released(sites: SiteStore, hashes: string[]): Promise<string[]> {
  const removed: string[] = []
  await sites.releaseUnreferenced(hashes, (sha256) => removed.push(sha256))
  return removed
}

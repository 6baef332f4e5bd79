import type { Asset } from '../asset/asset.ts'
import type { AssetStore } from '../asset/asset-store.ts'
import type { PlannedAsset } from './planned-assets.ts'
import { pageReferences } from './references/page-references.ts'

interface PageBytes {
  /** What is published: bytes that a sender only declared are looked up among these. */
  published: readonly Asset[]
  store: AssetStore
  /** Hashes of files whose bytes are on another machine, by their paths. */
  declared: ReadonlyMap<string, string> | undefined
}

/**
 * Reads which forms a page names. A page that only its hash is known of names none: the apply that brings its bytes looks again.
 */
export function formReader({
  published,
  store,
  declared,
}: PageBytes): (page: PlannedAsset) => Promise<ReadonlySet<string>> {
  const known = new Set(published.map(({ current }) => current.sha256))
  return async ({ file, sha256 }) => {
    if (file !== null && declared?.has(file) !== true) return formsNamed(Bun.file(file))
    const stored = known.has(sha256) ? await store.open({ sha256, encoding: 'identity' }) : null
    return stored === null ? new Set() : formsNamed(stored)
  }
}

const formsNamed = async (page: Blob): Promise<ReadonlySet<string>> =>
  new Set(pageReferences(Buffer.from(await page.arrayBuffer()), () => false).forms.map(({ id }) => id))

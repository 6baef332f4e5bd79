import type { StoredAccount } from '../account/account.ts'
import type { Publisher } from '../account/publisher.ts'
import type { Asset, AssetVersion } from '../asset/asset.ts'
import type { Clock } from '../lib/clock.ts'
import type { SiteStore } from './site-store.ts'

interface ByHand {
  account: StoredAccount
  asset: Pick<Asset, 'kind' | 'name'>
  /** The version that visitors will see. */
  version: Pick<AssetVersion, 'sha256' | 'byteCount' | 'variants' | 'state'>
  by: Publisher
}

/**
 * Publishes one page, image or file from stored bytes, until the next `apply` (docs/accounts-and-pages.md). Call within `SiteStore.exclusively`.
 */
export async function publishByHand(
  { account, asset, version, by }: ByHand,
  { sites, clock }: { sites: SiteStore; clock: Clock },
): Promise<void> {
  const { sha256, byteCount, variants, state } = version
  const publication = {
    handle: account.handle,
    settings: null,
    forms: [],
    withdrawnForms: [],
    destinations: [],
    removedDestinations: [],
    trackingKeyFingerprint: null,
    assets: [
      {
        kind: asset.kind,
        name: asset.name,
        version: { sha256, byteCount, variants, state, publishedBy: 'hand' as const },
      },
    ],
    folder: null,
    note: { by, isHere: true, subjects: [`${asset.kind} ${asset.name}`], subjectCount: 1 },
    publishedAt: clock.now(),
  }
  await sites.publish(publication, () => {})
}

import type { AccountSettings, StoredAccount } from '../account/account.ts'
import type { Publisher } from '../account/publisher.ts'
import { type Asset, type AssetVersion, subjectOf } from '../asset/asset.ts'
import type { Clock } from '../lib/clock.ts'
import { settingsChange } from './plan.ts'
import { keysOf } from './publication-log.ts'
import type { SiteStore } from './site-store.ts'

interface ByHand {
  account: StoredAccount
  asset: Pick<Asset, 'kind' | 'name'>
  /** The version that visitors will see. */
  version: Omit<AssetVersion, 'number' | 'publishedAt' | 'publishedBy'>
  /** Settings that change with it; absent: none do. */
  settings?: AccountSettings
  by: Publisher
}

/**
 * Publishes one page, image or file from stored bytes, until the next `apply` (docs/accounts-and-pages.md). Call within `SiteStore.exclusively`.
 */
export async function publishByHand(
  { account, asset, version, settings, by }: ByHand,
  { sites, clock }: { sites: SiteStore; clock: Clock },
): Promise<void> {
  const { sha256, byteCount, variants, state, liveFrom, liveUntil } = version
  const change = settings && settingsChange(account, settings)
  const subjects = [`${asset.kind} ${asset.name}`, ...(change ? [subjectOf(change)] : [])]
  const publication = {
    handle: account.handle,
    settings: settings ?? null,
    forms: [],
    withdrawnForms: [],
    destinations: [],
    removedDestinations: [],
    trackingKeyFingerprint: null,
    assets: [
      {
        kind: asset.kind,
        name: asset.name,
        version: { sha256, byteCount, variants, state, liveFrom, liveUntil, publishedBy: 'hand' as const },
      },
    ],
    folder: null,
    note: {
      by,
      origin: 'box' as const,
      subjects,
      subjectCount: subjects.length,
      ...(change && { keys: keysOf([change]) }),
    },
    publishedAt: clock.now(),
  }
  await sites.publish(publication, () => {})
}

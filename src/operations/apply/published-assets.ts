import type { StoredAccount } from '../../account/account.ts'
import { type Asset, type AssetState, isLiveAt } from '../../asset/asset.ts'
import { type AddressedKind, type assetKinds, byList, contentPath, pathKinds } from '../../asset/asset-kind.ts'
import { publicBase } from '../../config/own-hosts.ts'
import type { Box } from '../box.ts'
import { previewAddresses } from '../page/preview-link.ts'

/** A published page, image or file with its address. */
export interface PublishedAsset {
  /** A page's slug; the path of an image or file. */
  name: string
  id: string
  state: AssetState
  /** `null`: the account does not exist yet, or visitors do not see the live page now. */
  url: string | null
}

export type AssetsByKind = Record<(typeof assetKinds)[AddressedKind]['list'], PublishedAsset[]>

/** @param account `null`: the account does not exist yet (a dry run) */
export async function publishedAssets(
  box: Pick<Box, 'signingKeys' | 'config' | 'clock'>,
  account: StoredAccount | null,
  { assets, host }: { assets: Asset[]; host: string | undefined },
): Promise<AssetsByKind> {
  const previews = account && (await previewAddresses(box, account))
  const now = box.clock.now()
  const base = host === undefined ? null : publicBase(box.config, host)
  const ofKind = (kind: AddressedKind): PublishedAsset[] =>
    assets
      .filter((asset) => asset.kind === kind)
      .map((asset) => {
        const { state } = asset.current
        const address = isLiveAt(asset.current, now) ? base && base + contentPath(kind, asset.name) : null
        const url = state === 'live' ? address : (previews?.of(asset) ?? null)
        return { name: asset.name, id: asset.id, state, url }
      })
  return byList(['page', ...pathKinds], ofKind)
}

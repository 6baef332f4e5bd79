import type { StoredAccount } from '../../account/account.ts'
import type { Asset, AssetState } from '../../asset/asset.ts'
import { encodeAssetPath } from '../../asset/asset-name.ts'
import { publicBase } from '../../config/own-hosts.ts'
import type { Box } from '../box.ts'
import { previewAddresses } from '../page/preview-link.ts'

/** A published page, image or file with its address. */
export interface PublishedAsset {
  /** A page's slug; the path of an image or file. */
  name: string
  id: string
  state: AssetState
  /** `null`: the account does not exist yet. */
  url: string | null
}

export interface AssetsByKind {
  pages: PublishedAsset[]
  images: PublishedAsset[]
  files: PublishedAsset[]
}

/** @param account `null`: the account does not exist yet (a dry run) */
export async function publishedAssets(
  box: Pick<Box, 'signingKeys' | 'config' | 'clock'>,
  account: StoredAccount | null,
  { assets, host }: { assets: Asset[]; host: string | undefined },
): Promise<AssetsByKind> {
  const previews = account && (await previewAddresses(box, account))
  const base = host === undefined ? null : publicBase(box.config, host)
  const ofKind = (kind: Asset['kind']): PublishedAsset[] =>
    assets
      .filter((asset) => asset.kind === kind)
      .map((asset) => {
        const { state } = asset.current
        const url = state === 'live' ? liveAddress(asset, base) : (previews?.of(asset) ?? null)
        return { name: asset.name, id: asset.id, state, url }
      })
  return { pages: ofKind('page'), images: ofKind('image'), files: ofKind('file') }
}

function liveAddress({ kind, name }: Asset, base: string | null): string | null {
  if (base === null) return null
  if (kind === 'page') return `${base}/${name}`
  return `${base}/_svc/${kind === 'image' ? 'img' : 'file'}/${encodeAssetPath(name)}`
}

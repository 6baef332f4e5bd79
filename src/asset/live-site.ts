import type { StoredAccount } from '../account/account.ts'
import { compileAccount, type LiveAccount } from '../account/live-account.ts'
import type { Asset } from './asset.ts'

/** An account with everything it has published, for requests. Immutable: each publication makes a new one. */
export interface LiveSite {
  account: LiveAccount
  /** Live landing pages by slug. */
  pages: ReadonlyMap<string, Asset>
  /** Images by path, live and preview: the state is the asset's. */
  images: ReadonlyMap<string, Asset>
  /** Files by path, live and preview. */
  files: ReadonlyMap<string, Asset>
  /** Everything by its short id, for previews. */
  byId: ReadonlyMap<string, Asset>
}

export function compileSite(stored: StoredAccount, assets: Asset[]): LiveSite {
  const pages = new Map<string, Asset>()
  const images = new Map<string, Asset>()
  const files = new Map<string, Asset>()
  const byId = new Map<string, Asset>()
  for (const asset of assets) {
    byId.set(asset.id, asset)
    if (asset.kind === 'image') images.set(asset.name, asset)
    else if (asset.kind === 'file') files.set(asset.name, asset)
    else if (asset.current.state === 'live') pages.set(asset.name, asset)
  }
  return { account: compileAccount(stored), pages, images, files, byId }
}

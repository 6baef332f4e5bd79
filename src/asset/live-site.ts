import type { StoredAccount } from '../account/account.ts'
import { compileAccount, type LiveAccount } from '../account/live-account.ts'
import { RunningSplits } from '../account/split.ts'
import type { Clock } from '../lib/clock.ts'
import type { Asset } from './asset.ts'
import { type PathKind, pathKinds } from './asset-kind.ts'
import { LivePages } from './live-pages.ts'
import { type Ways, waysOf } from './ways.ts'

/** An account with everything it has published, for requests. Immutable: each publication makes a new one. */
export interface LiveSite {
  account: LiveAccount
  pages: LivePages
  /** Answers where nothing is; `null`: the service does. */
  errorPage: Asset | null
  splits: RunningSplits
  /** Everything else by kind and path, live and preview: the state is the asset's. */
  byPath: Readonly<Record<PathKind, ReadonlyMap<string, Asset>>>
  /** Everything by its short id, for previews. */
  byId: ReadonlyMap<string, Asset>
  /** Where the paths of its domains lead. */
  ways: Ways
}

export function compileSite(stored: StoredAccount, assets: Asset[], clock: Pick<Clock, 'now'>): LiveSite {
  const pages = new Map<string, Asset>()
  const byPath = Object.fromEntries(pathKinds.map((kind) => [kind, new Map()])) as Record<PathKind, Map<string, Asset>>
  let errorPage: Asset | null = null
  const byId = new Map<string, Asset>()
  for (const asset of assets) {
    byId.set(asset.id, asset)
    if (asset.kind === 'error_page') errorPage = asset
    else if (asset.kind !== 'page') byPath[asset.kind].set(asset.name, asset)
    else if (asset.current.state === 'live') pages.set(asset.name, asset)
  }
  const live = new LivePages(pages, clock)
  const splits = new RunningSplits(stored.settings.splits, live)
  const ways = waysOf(stored.settings, (kind, name) =>
    kind === 'page' ? live.has(name) : byPath[kind].get(name)?.current.state === 'live',
  )
  return { account: compileAccount(stored), pages: live, errorPage, splits, byPath, byId, ways }
}

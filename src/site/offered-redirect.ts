import type { Asset } from '../asset/asset.ts'
import { Suggestions } from '../lib/suggestion.ts'
import type { PlannedAsset } from './planned-assets.ts'

/**
 * What keeps links to a page alive that goes: lines for `site.toml` where a live page has the same bytes, or a new one a near
 * name.
 *
 * @param live pages after the publish
 * @param fresh those of them that were not live before
 */
export function redirectOffers(live: readonly PlannedAsset[], fresh: readonly PlannedAsset[]): (page: Asset) => string {
  const sameBytes = new Map(live.map(({ sha256, name }) => [sha256, name]))
  const names = new Suggestions(fresh.map(({ name }) => name))
  return ({ name, current }) => {
    const to = sameBytes.get(current.sha256) ?? names.nearestTo(name)
    if (to === null) return 'Keep it, or lead its visitors on with [[redirects]] in site.toml.'
    return `To lead its visitors on, add to site.toml:\n\n[[redirects]]\nfrom = "/${name}"\nto = "/${to}"\n`
  }
}

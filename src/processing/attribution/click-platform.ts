import type { Attribution } from '../../ledger/entry.ts'
import data from './known/click-platforms.json'
import type { Origin } from './touch.ts'

/** Platforms' ids have a few hundred characters at most. A truncated id is useless, so longer ones are left out. */
export const clickIdCharsMax = 512

/** In the order of the list: the first match wins if an address has several. */
const platforms: ReadonlyMap<string, Origin> = new Map(
  data.platforms.flatMap(({ name, medium, ids }) => ids.map((id) => [id, { source: name, medium }] as const)),
)

/** The ad platform whose click id the address has; `null`: none. */
export function clickPlatform(attribution: Attribution): Origin | null {
  if (isEmpty(attribution)) return null
  for (const [id, origin] of platforms) if (Object.hasOwn(attribution, id)) return origin
  return null
}

/** The click ids among an address's parameters. */
export function clickIdsOf(attribution: Attribution): Record<string, string> {
  const found: Record<string, string> = {}
  for (const name in attribution) {
    const value = attribution[name]
    if (value !== undefined && platforms.has(name) && value.length <= clickIdCharsMax) found[name] = value
  }
  return found
}

/** Most addresses have no attribution at all. */
function isEmpty(attribution: Attribution): boolean {
  for (const _ in attribution) return false
  return true
}

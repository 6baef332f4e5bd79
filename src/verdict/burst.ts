import type { ClickRules } from './click-rules.ts'

/**
 * `own`: by what is surely one visitor, a device or, for one recipient, one user agent. `shared`: only together with
 * others of the same recipient, or of the same address and user agent, where two visitors may stand close together.
 */
export type BurstKind = 'own' | 'shared'

/** A click near the judged click, of the same message and group. */
export interface NearClick {
  /** Epoch milliseconds. */
  at: number
  url: string
  /** Whether it is certainly by the same visitor as the judged click. */
  isOwn: boolean
}

/**
 * What the click is part of: some stretch of time around it holds clicks to many destinations. `near` holds the click
 * itself. A function of the set: it does not matter in which order clicks became known.
 */
export function burstAround(at: number, near: readonly NearClick[], rule: ClickRules['burst']): BurstKind | null {
  if (!isBurst(at, near, rule)) return null
  const own = near.filter(({ isOwn }) => isOwn)
  return isBurst(at, own, rule) ? 'own' : 'shared'
}

function isBurst(at: number, clicks: readonly NearClick[], { destinationsMin, seconds }: ClickRules['burst']): boolean {
  if (!leadTo(destinationsMin, clicks)) return false
  const ms = seconds * 1000
  // A stretch starts at one of its clicks.
  const begins = new Set(clicks.map((click) => click.at).filter((begin) => begin <= at && begin >= at - ms))
  for (const begin of begins) {
    const stretch = clicks.filter((click) => click.at >= begin && click.at <= begin + ms)
    if (leadTo(destinationsMin, stretch)) return true
  }
  return false
}

/** Whether the clicks lead to at least so many destinations. */
export function leadTo(destinationsMin: number, clicks: readonly { url: string }[]): boolean {
  const urls = new Set<string>()
  return clicks.some(({ url }) => urls.add(url).size >= destinationsMin)
}

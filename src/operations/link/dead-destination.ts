import { Type } from '@sinclair/typebox'
import type { StoredAccount } from '../../account/account.ts'
import { type Asset, isLiveAt } from '../../asset/asset.ts'
import { liveAmong, wayOf, waysOf } from '../../asset/ways.ts'
import { WallClock } from '../../lib/local-time.ts'
import { count, orNull, text, textOrNull } from '../../lib/schema.ts'
import { nearest } from '../../lib/suggestion.ts'
import type { Box } from '../box.ts'

export const linkWarning = Type.Object({
  kind: Type.Literal('dead_destination'),
  file: textOrNull,
  line: orNull(count),
  message: text,
})

/** A click link that would lead visitors to a page that says that nothing is there. */
export interface LinkWarning {
  kind: 'dead_destination'
  /** Of the mail, as the caller names it; `null`: a single link, or a mail without a name. */
  file: string | null
  line: number | null
  message: string
}

/** The place of a destination in a mail. */
type Place = Pick<LinkWarning, 'file' | 'line'>

/** Limits the comparisons with every page; a mail has far fewer slips. */
const suggestionsMax = 20

/** Warns of destinations on the account's domains that are now neither live nor redirected. */
export async function deadDestinations(
  { catalogue, clock }: Pick<Box, 'catalogue' | 'clock'>,
  { id, settings }: StoredAccount,
): Promise<(destination: string, place: Place) => LinkWarning[]> {
  const now = clock.now()
  const assets = await catalogue.assets(id)
  const live = assets.filter(({ current }) => isLiveAt(current, now))
  const ways = waysOf(settings, liveAmong(live.map(({ kind, name }) => ({ kind, name, state: 'live' }))))
  const pages = assets.filter(({ kind }) => kind === 'page')
  const livePaths = live.filter(({ kind }) => kind === 'page').map(({ name }) => `/${name}`)
  let suggestions = 0
  const advice = (pathname: string): string => {
    const page = pages.find(({ name }) => pathname === `/${name}`)
    if (page !== undefined) return adviceFor(page, now, settings.timezone)
    if (pathname === '/') return 'Set `home` in site.toml.'
    const meant = ++suggestions > suggestionsMax ? null : nearest(pathname, livePaths)
    return meant === null
      ? 'Publish it first, or lead it on with [[redirects]] in site.toml.'
      : `Did you mean ${meant}?`
  }
  return (destination, place) => {
    const { host, hostname, pathname, search } = new URL(destination)
    if (!settings.domains.includes(hostname)) return []
    if (wayOf(ways, pathname + search).to !== 'nowhere') return []
    const message = `${host}${pathname} is neither live nor redirected. ${advice(pathname)}`
    return [{ kind: 'dead_destination', ...place, message }]
  }
}

/** What to do for a page that visitors do not see now. */
function adviceFor({ current: { state, liveFrom } }: Asset, now: number, timezone: string): string {
  if (state === 'preview') return 'The page is in preview: publish it first.'
  if (liveFrom === null || liveFrom <= now) return 'Its live_until is over.'
  return `Its live_from is ${new WallClock(timezone).textOf(liveFrom)}: send the mail after that.`
}

import type { Entry } from '../../../src/ledger/entry.ts'
import { Verdicts } from '../../../src/verdict/verdicts.ts'

/** What docs/reports.md says a day's figures are, counted out entry by entry. */
export interface Counted {
  visits: number
  visitors: number
  views: number
  viewsByBots: number
  events: number
  eventsByBots: number
  leads: number
  /** Of all verdicts. */
  clicks: number
}

export const nothingCounted: Counted = {
  visits: 0,
  visitors: 0,
  views: 0,
  viewsByBots: 0,
  events: 0,
  eventsByBots: 0,
  leads: 0,
  clicks: 0,
}

const halfAnHourMs = 30 * 60_000
const verdicts = new Verdicts()

/** The figures of every date on which anything happened, of the entries of one account in the ledger's order. */
export function recount(entries: readonly Entry[], timeZone: string): Map<string, Counted> {
  const days = new Map<string, Counted>()
  const viewers = new Set<string>()
  const visitedAt = new Map<string, number>()
  const dateOf = datesIn(timeZone)
  for (const entry of entries.filter(({ test }) => !test)) {
    const { receivedAt, deviceId } = entry
    const date = dateOf(receivedAt)
    const day = days.get(date) ?? { ...nothingCounted }
    days.set(date, day)
    const lastAt = visitedAt.get(deviceId ?? '')
    const isVisiting = lastAt !== undefined && receivedAt - lastAt < halfAnHourMs
    const goOn = () => visitedAt.set(deviceId ?? '', Math.max(lastAt ?? receivedAt, receivedAt))
    const what = kindOf(entry)
    if (what === null) {
      if (isIdentify(entry) && isVisiting) goOn()
      continue
    }
    day[what]++
    if (what === 'views' && !isVisiting) day.visits++
    if (what === 'views' && !viewers.has(`${date} ${deviceId}`)) day.visitors++
    if (what === 'views') viewers.add(`${date} ${deviceId}`)
    if (what === 'views' || (what === 'events' && isVisiting)) goOn()
  }
  return days
}

function kindOf(entry: Entry): 'views' | 'viewsByBots' | 'events' | 'eventsByBots' | 'leads' | 'clicks' | null {
  if (entry.kind === 'submission') return entry.status === 'accepted' ? 'leads' : null
  if (entry.kind === 'click') return 'clicks'
  const isBot = verdicts.isBot(entry)
  if (entry.kind === 'page_view' || entry.event === '$pageview') return isBot ? 'viewsByBots' : 'views'
  if (isIdentify(entry)) return null
  return isBot ? 'eventsByBots' : 'events'
}

/** Views of each landing page on the date or later. */
export function pagesSince(date: string, entries: readonly Entry[], timeZone: string): Record<string, number> {
  const dateOf = datesIn(timeZone)
  const pages: Record<string, number> = {}
  for (const entry of entries) {
    const isServed = entry.kind === 'page_view' && !entry.test && kindOf(entry) === 'views'
    if (isServed && dateOf(entry.receivedAt) >= date) pages[entry.slug] = (pages[entry.slug] ?? 0) + 1
  }
  return pages
}

const isIdentify = (entry: Entry): boolean => entry.kind === 'event' && entry.event === '$identify'

/** How many devices viewed something on the date or later. */
export function visitorsSince(date: string, entries: readonly Entry[], timeZone: string, before = '9999'): number {
  const dateOf = datesIn(timeZone)
  const isWithin = ({ receivedAt }: Entry) => dateOf(receivedAt) >= date && dateOf(receivedAt) < before
  const views = entries.filter((entry) => !entry.test && kindOf(entry) === 'views' && isWithin(entry))
  return new Set(views.map(({ deviceId }) => deviceId)).size
}

export function datesIn(timeZone: string): (epochMs: number) => string {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
  return (epochMs) => {
    const [month, day, year] = format.format(epochMs).split('/')
    return `${year}-${month}-${day}`
  }
}

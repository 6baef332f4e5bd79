import type { Entry, Submission } from '../../../src/ledger/entry.ts'
import { Verdicts } from '../../../src/verdict/verdicts.ts'

// Channels by docs/reports.md read word for word: each device's way is laid out whole, then every visit and lead is told apart.

type Told = Record<'sources' | 'mediums' | 'campaigns' | 'entryPages', string>
type Channel = Told & { devices: string }
export type Counts = Record<keyof Channel, Record<string, { visits: number; visitors: number; leads: number }>>

const pauseMs = 30 * 60_000
const verdicts = new Verdicts()
const unknown: Told = { sources: 'unknown', mediums: 'unknown', campaigns: '(none)', entryPages: 'unknown' }

type Hit = Exclude<Entry, Submission>

const isView = (entry: Entry): entry is Hit =>
  entry.kind === 'page_view' || (entry.kind === 'event' && entry.event === '$pageview')

function addressOf(hit: Hit): string {
  const url = hit.kind === 'event' ? hit.properties.url : hit.url
  return typeof url === 'string' ? new URL(url).pathname : 'unknown'
}

/** Where a record says that its visitor came from; `null`: it does not. */
function toldBy(hit: Hit): Told | null {
  if (hit.kind === 'click' && hit.verdict === 'machine') return null
  const { utm_source: source, utm_medium, utm_campaign } = hit.attribution
  const entryPages = addressOf(hit)
  const campaigns = utm_campaign ?? (hit.kind === 'click' ? (hit.message ?? '(none)') : '(none)')
  if (hit.kind === 'click') return { sources: 'email', mediums: 'email', campaigns, entryPages }
  if (source) return { sources: source, mediums: utm_medium ?? 'campaign', campaigns, entryPages }
  const referrer = hit.kind === 'page_view' ? hit.source.referer : isView(hit) ? hit.properties.referrer : null
  if (referrer === 'https://www.google.com/')
    return { sources: 'google', mediums: 'organic', campaigns: '(none)', entryPages }
  return isView(hit) ? direct(hit) : null
}

const direct = (view: Hit): Told => ({
  sources: 'direct',
  mediums: 'none',
  campaigns: '(none)',
  entryPages: addressOf(view),
})

const kindOf = ({ source: { userAgent } }: Entry): string => {
  if (userAgent?.includes('iPhone')) return 'phone'
  return userAgent?.includes('X11') ? 'desktop' : 'other'
}

/** By receipt, as touches are. */
const inOrder = (one: Entry, other: Entry): number => one.receivedAt - other.receivedAt || (one.id < other.id ? -1 : 1)

/**
 * @param entries of one account, in the ledger's order
 * @param isWithin whether a date is within the period
 */
export function modelledChannels(
  entries: readonly Entry[],
  dateOf: (at: number) => string,
  isWithin: (date: string) => boolean,
): Counts {
  const counts: Counts = { sources: {}, mediums: {}, campaigns: {}, entryPages: {}, devices: {} }
  const add = (channel: Channel, figure: 'visits' | 'visitors' | 'leads') => {
    for (const table of Object.keys(counts) as (keyof Counts)[]) {
      const row = counts[table][channel[table]] ?? { visits: 0, visitors: 0, leads: 0 }
      row[figure]++
      counts[table][channel[table]] = row
    }
  }
  for (const way of Map.groupBy(
    entries.filter(({ test }) => !test),
    ({ deviceId }) => deviceId,
  ).values()) {
    const seen = new Map<string, Channel>()
    let channel: Channel | null = null
    let silentSince: number | null = null
    for (const [place, entry] of way.entries()) {
      const { receivedAt: at } = entry
      const goesOn = silentSince !== null && at - silentSince < pauseMs
      if (entry.kind === 'submission') {
        if (entry.status === 'accepted' && isWithin(dateOf(at)))
          add({ ...lastTold(way, entry), devices: kindOf(entry) }, 'leads')
        continue
      }
      if (isView(entry) && !verdicts.isBot(entry)) {
        if (!goesOn || channel === null) {
          channel = { ...(ledBy(entry, way.slice(0, place)) ?? direct(entry)), devices: kindOf(entry) }
          if (isWithin(dateOf(at))) add(channel, 'visits')
          seen.set(dateOf(at), channel)
        }
        if (!seen.has(dateOf(at))) seen.set(dateOf(at), channel)
        silentSince = Math.max(silentSince ?? at, at)
      } else if (goesOn && entry.kind === 'event' && (entry.event === '$identify' || !verdicts.isBot(entry)))
        silentSince = Math.max(silentSince ?? at, at)
    }
    const last = [...seen.keys()].filter(isWithin).sort().at(-1)
    const latest = last === undefined ? undefined : seen.get(last)
    if (latest !== undefined) add(latest, 'visitors')
  }
  return counts
}

const isDirect = ({ sources, mediums }: Told): boolean => sources === 'direct' && mediums === 'none'

/** What the device's records told up to then, in order of receipt. */
const toldUntil = (way: readonly Entry[], until: Entry) =>
  way
    .filter((entry): entry is Hit => entry.kind !== 'submission' && inOrder(entry, until) <= 0)
    .sort(inOrder)
    .flatMap((hit) => {
      const told = toldBy(hit)
      return told === null ? [] : [{ hit, told }]
    })

/** The last that told more than "direct"; else the first. */
function lastTold(way: readonly Entry[], lead: Submission): Told {
  const all = toldUntil(way, lead).map(({ told }) => told)
  return all.findLast((told) => !isDirect(told)) ?? all[0] ?? unknown
}

/** A view that tells nothing came by a click on a mailed link, if that was the last that told anything, within a visit's pause. */
function ledBy(view: Hit, before: readonly Entry[]): Told | null {
  const told = toldBy(view)
  if (told !== null && !isDirect(told)) return told
  const last = toldUntil(before, view).findLast((one) => !isDirect(one.told))
  const hasLed = last?.hit.kind === 'click' && view.receivedAt - last.hit.receivedAt < pauseMs
  return hasLed ? { ...last.told, entryPages: addressOf(view) } : told
}

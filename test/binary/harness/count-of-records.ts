import type { ClickFigures, DailyFigures } from '../../../src/report/figures.ts'
import type { EventRecord, SubmissionRecord } from '../../../src/report/record.ts'
import { crawler } from './traffic.ts'

/** Everything that `capture export` prints of an account. */
export interface ExportedRecords {
  submissions: SubmissionRecord[]
  events: EventRecord[]
}

type Counted = Omit<DailyFigures, 'refused' | 'lostPageViews'>

const halfAnHourMs = 30 * 60_000

/** The figures that docs/reports.md says these records come to. */
export function countOf({ submissions, events }: ExportedRecords): Counted {
  const views = events.filter(({ event }) => event === '$pageview')
  const others = events.filter(({ event }) => !['$pageview', '$click', '$identify'].includes(event))
  const accepted = submissions.filter(({ status }) => status === 'accepted')
  return {
    visits: visitsIn(events.filter((event) => isCounted(event) && (views.includes(event) || others.includes(event)))),
    visitors: new Set(views.filter(isCounted).map(({ deviceId }) => deviceId)).size,
    views: views.filter(isCounted).length,
    viewsByBots: views.filter((view) => !isCounted(view)).length,
    events: others.filter(isCounted).length,
    eventsByBots: others.filter((event) => !isCounted(event)).length,
    leads: accepted.filter(({ duplicateOf }) => duplicateOf === null).length,
    likelyDuplicates: accepted.filter(({ duplicateOf }) => duplicateOf !== null).length,
    clicks: clicksIn(events.filter(({ event }) => event === '$click')),
  }
}

/** How many leads there are of each name. */
export function leadsBy(
  { submissions }: ExportedRecords,
  nameOf: (record: SubmissionRecord) => string,
): Record<string, number> {
  const leads = submissions.filter(({ status, duplicateOf }) => status === 'accepted' && duplicateOf === null)
  return Object.fromEntries([...Map.groupBy(leads, nameOf)].map(([name, rows]) => [name, rows.length]))
}

/** The clicks of each message; `null`: of links that name none. */
export function clicksByMessage({ events }: ExportedRecords): Map<unknown, ClickFigures> {
  const clicks = events.filter(({ event }) => event === '$click')
  const byMessage = Map.groupBy(clicks, ({ properties }) => properties.message ?? null)
  return new Map([...byMessage].map(([message, rows]) => [message, clicksIn(rows)]))
}

function visitsIn(hits: EventRecord[]): number {
  let visits = 0
  const lastAt = new Map<string, number>()
  for (const { event, deviceId, receivedAt } of hits) {
    const at = Date.parse(receivedAt)
    const isVisiting = at - (lastAt.get(deviceId) ?? Number.NEGATIVE_INFINITY) < halfAnHourMs
    if (event === '$pageview' && !isVisiting) visits++
    if (event === '$pageview' || isVisiting) lastAt.set(deviceId, at)
  }
  return visits
}

function clicksIn(clicks: EventRecord[]): ClickFigures {
  const judged = (verdict: string) => clicks.filter(({ properties }) => properties.verdict === verdict).length
  return { human: judged('human'), suspected: judged('suspected'), machine: judged('machine') }
}

const isCounted = ({ source }: EventRecord): boolean => source.userAgent !== crawler

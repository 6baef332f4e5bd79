import type { ReportTexts } from '../language/texts/en.ts'
import { type ChannelDivision, unknownName } from '../processing/figures/channel.ts'
import type { Measure } from '../processing/figures/measures.ts'
import { conversionOf } from './percent.ts'

/** What a channel brought. Over a table, visits and leads add up to the totals, and so do visitors. */
export interface ChannelRow {
  name: string
  /** Visits that it began. */
  visits: number
  /** Devices whose latest visit of the period it began. */
  visitors: number
  /** Leads of visitors whom it brought last. */
  leads: number
  /** Leads of a hundred visits, with one decimal; `null`: there were no visits, or more leads than visits. */
  conversion: number | null
}

/** The tables, under the names of their fields in the JSON. */
export const channelTables = {
  sources: 'source',
  mediums: 'medium',
  campaigns: 'campaign',
  entryPages: 'page',
  devices: 'device',
} as const satisfies Record<string, ChannelDivision>

export type ChannelTable = keyof typeof channelTables
export const channelTableNames = Object.keys(channelTables) as ChannelTable[]

export type Channels = Record<ChannelTable, ChannelRow[]>

/** Stands for visits and leads without a campaign. */
export const noCampaign = '(none)'

/** Stands in a document for leads without a known visit, of which no campaign is known either. */
const unknownCampaign = '(unknown)'

/** @param totals what the rows of each table add up to */
export const channelsReport = (
  byName: readonly { measure: Measure; name: string; count: number }[],
  totals: Pick<ChannelRow, 'visits' | 'visitors' | 'leads'>,
): Channels => {
  const counted = Map.groupBy(byName, ({ measure }) => measure)
  const countsOf = (measure: Measure) => new Map(counted.get(measure)?.map(({ name, count }) => [name, count]))
  const tables = channelTableNames.map((table) => {
    const division = channelTables[table]
    const visits = countsOf(`visit_${division}`)
    const visitors = countsOf(`visitor_${division}`)
    const leads = countsOf(`lead_${division}`)
    if (division === 'campaign') {
      addRest(visits, totals.visits)
      addRest(visitors, totals.visitors)
      addRest(leads, totals.leads)
    }
    const names = [...new Set([...visits.keys(), ...visitors.keys(), ...leads.keys()])]
    const rows = names.map((name) =>
      rowOf(name, {
        visits: visits.get(name) ?? 0,
        visitors: visitors.get(name) ?? 0,
        leads: leads.get(name) ?? 0,
      }),
    )
    return [table, rows.sort(mostFirst)] as const
  })
  return Object.fromEntries(tables) as Channels
}

/** Of all the tables, only campaigns leave visits out. A link may name a campaign `(none)`. */
function addRest(counts: Map<string, number>, total: number): void {
  const rest = total - counts.values().reduce((sum, count) => sum + count, 0)
  if (rest > 0) counts.set(noCampaign, (counts.get(noCampaign) ?? 0) + rest)
}

/** At least so many leads came without a known visit: no visit made up the name, since paths begin with a slash. */
export function leadsWithoutVisit({ entryPages }: Pick<Channels, 'entryPages'>): number {
  const { leads, visits } = entryPages.find(({ name }) => name === unknownName) ?? { leads: 0, visits: 0 }
  return Math.max(0, leads - visits)
}

/** Whether there are leads, and none has a known visit. */
export function isUntold(channels: Channels): boolean {
  const without = leadsWithoutVisit(channels)
  return without > 0 && without === channels.entryPages.reduce((sum, { leads }) => sum + leads, 0)
}

/**
 * As a document shows them: leads without a known visit stand apart from those of the visits without a campaign, and have no
 * part in a conversion. The kind of device is known of them too, so among devices no conversion can be told, nor among other
 * channels where no lead has a known visit.
 */
export function documentChannels(channels: Channels): Channels {
  const without = leadsWithoutVisit(channels)
  if (without === 0) return channels
  const campaigns = channels.campaigns.flatMap((row) => (row.name === noCampaign ? withUnknown(row, without) : [row]))
  const shown = { ...channels, campaigns: campaigns.sort(mostFirst) }
  const untold = isUntold(channels) ? channelTableNames : (['devices'] as const)
  return { ...shown, ...Object.fromEntries(untold.map((table) => [table, shown[table].map(withoutConversion)])) }
}

const withoutConversion = (row: ChannelRow): ChannelRow => ({ ...row, conversion: null })

function withUnknown({ name, visits, visitors, leads }: ChannelRow, without: number): ChannelRow[] {
  const unknown = Math.min(leads, without)
  return [
    rowOf(name, { visits, visitors, leads: leads - unknown }),
    rowOf(unknownCampaign, { visits: 0, visitors: 0, leads: unknown }),
  ]
}

const rowOf = (name: string, { visits, visitors, leads }: Omit<ChannelRow, 'name' | 'conversion'>): ChannelRow => ({
  name,
  visits,
  visitors,
  leads,
  conversion: conversionOf({ visits, leads }),
})

const mostFirst = (one: ChannelRow, other: ChannelRow): number =>
  other.visits - one.visits || other.leads - one.leads || (one.name < other.name ? -1 : 1)

/** The name in a report for an account's owner: those of Capture are texts. */
export function shownChannel(table: ChannelTable, name: string, { channels }: ReportTexts): string {
  const own: Readonly<Record<string, string>> = channels[table].own
  return (Object.hasOwn(own, name) ? own[name] : undefined) ?? name
}

import type { Locale } from '../../language/locale.ts'
import type { Plural } from '../../language/wording.ts'
import {
  type ChannelRow,
  type Channels,
  type ChannelTable,
  channelTableNames,
  documentChannels,
  isUntold,
  noCampaign,
  shownChannel,
} from '../channels.ts'
import { shownName } from './shown-name.ts'

/** Channels of one division as a report shows them: what they brought, and how much of it paid. */
export interface ChannelList {
  /** Whether a page shows it without being asked. */
  isOpen: boolean
  drawn: ChannelTable
  title: string
  /** The title below that of all channels. */
  by: string
  heading: string
  /** `share`: of the longest bar, 0 to 1; `null`: the row is of no channel, but of what none brought. */
  rows: { name: string; visits: number; leads: number; conversion: number | null; share: number | null }[]
  /** The channels that are not among the rows, and what they come to. */
  more: { names: number; visits: number; leads: number; forms: Plural }
}

const rowsMax = 8

/** Which advert paid, before what else may be asked. */
const shownFirst: readonly ChannelTable[] = ['sources', 'campaigns']

export function channelLists(channels: Channels, locale: Locale): ChannelList[] {
  const shown = documentChannels(channels)
  const opened = isUntold(channels) ? [] : shownFirst
  return [...new Set([...shownFirst, ...channelTableNames])]
    .map((table) => {
      const rows = shown[table].filter(({ visits, leads }) => visits + leads > 0)
      const isOpen = opened.includes(table)
      return { ...channelList(table, rows.sort(mostLeadsFirst), locale), isOpen }
    })
    .filter(({ rows }) => rows.length > 0)
}

const mostLeadsFirst = (one: ChannelRow, other: ChannelRow): number =>
  other.leads - one.leads || other.visits - one.visits

function channelList(table: ChannelTable, all: readonly ChannelRow[], locale: Locale): Omit<ChannelList, 'isOpen'> {
  const texts = locale.texts.report
  const { title, by, heading, more } = texts.channels[table]
  const isOfNone = ({ name }: ChannelRow) => table === 'campaigns' && name === noCampaign
  const [ofNone, named] = [all.filter(isOfNone), all.filter((row) => !isOfNone(row))]
  // A row that says "1 more" could be that one.
  const shown = named.length === rowsMax + 1 ? named : named.slice(0, rowsMax)
  const rest = named.slice(shown.length)
  const most = Math.max(1, ...shown.map(({ leads }) => leads))
  const sum = (figure: 'visits' | 'leads') => rest.reduce((sum, row) => sum + row[figure], 0)
  return {
    drawn: table,
    title,
    by,
    heading,
    rows: [...shown, ...ofNone].map((row) => ({
      name: shownName(shownChannel(table, row.name, texts)),
      visits: row.visits,
      leads: row.leads,
      conversion: row.conversion,
      share: isOfNone(row) ? null : row.leads / most,
    })),
    more: { names: rest.length, visits: sum('visits'), leads: sum('leads'), forms: more },
  }
}

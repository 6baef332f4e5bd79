import type { Locale } from '../../language/locale.ts'
import type { Plural } from '../../language/wording.ts'
import {
  type ChannelRow,
  type Channels,
  type ChannelTable,
  channelTableNames,
  documentChannels,
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
  rows: { name: string; visits: number; leads: number; conversion: number | null; share: number }[]
  /** The channels that are not among the rows, and what they come to. */
  more: { names: number; visits: number; leads: number; forms: Plural }
}

const rowsMax = 8

/** Which advert paid, before what else may be asked. */
const shownFirst: readonly ChannelTable[] = ['sources', 'campaigns']

export function channelLists(channels: Channels, locale: Locale): ChannelList[] {
  const shown = documentChannels(channels)
  return [...new Set([...shownFirst, ...channelTableNames])]
    .map((table) =>
      channelList(
        table,
        shown[table].filter(({ visits, leads }) => visits + leads > 0),
        locale,
      ),
    )
    .filter(({ rows }) => rows.length > 0)
}

function channelList(table: ChannelTable, all: readonly ChannelRow[], locale: Locale): ChannelList {
  const texts = locale.texts.report
  const { title, by, heading, more } = texts.channels[table]
  // A row that says "1 more" could be that one.
  const shown = all.length === rowsMax + 1 ? all : all.slice(0, rowsMax)
  const rest = all.slice(shown.length)
  const most = Math.max(1, ...shown.map(({ visits }) => visits))
  const sum = (figure: 'visits' | 'leads') => rest.reduce((sum, row) => sum + row[figure], 0)
  return {
    isOpen: shownFirst.includes(table),
    drawn: table,
    title,
    by,
    heading,
    rows: shown.map(({ name, visits, leads, conversion }) => ({
      name: shownName(shownChannel(table, name, texts)),
      visits,
      leads,
      conversion,
      share: visits / most,
    })),
    more: { names: rest.length, visits: sum('visits'), leads: sum('leads'), forms: more },
  }
}

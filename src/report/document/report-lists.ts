import { plural } from '../../lib/quantities.ts'
import type { RankedList } from './ranked-list.ts'
import type { ReportView } from './report-view.ts'

/** A list of a report outside its page: in a mail or as a picture. */
export interface ReportList {
  drawn: DrawnList
  title: string
  /** The headings of the figures; only one if there is nothing to compare with. */
  headings: string[]
  rows: { name: string; figures: number[]; share: number }[]
  /** The names that are not among the rows, and the noun for one of them. */
  more: { names: number; one: string }
  /** The text below the rows, or instead of them. */
  remarks: string[]
}

/** Titles of the lists, the same on a page, in a mail and as a picture. A funnel's title is its name. */
export const listTitles = {
  goals: 'Goals',
  sources: 'Leads by source',
  campaigns: 'Leads by campaign',
  forms: 'Leads by form',
  pages: 'Most viewed pages',
  messages: 'Clicks by message',
} as const

/** Identifies a list of a report. */
export type DrawnList = keyof typeof listTitles | `funnel-${number}`

/** Identifies a funnel by its place, from 0 on; its name is anything that an operator typed. */
export const drawnFunnel = (place: number): DrawnList => `funnel-${place + 1}`

/** The lists of a report, without empty ones. */
export function reportLists(view: ReportView): ReportList[] {
  const { viewsElsewhere, likelyDuplicates } = view
  const others = viewsElsewhere === 0 ? [] : [`${plural(viewsElsewhere, 'other page view')} elsewhere.`]
  const repeats = likelyDuplicates === 0 ? [] : [`${plural(likelyDuplicates, 'repeat')} of a lead not counted.`]
  return [
    goalsList(view),
    ...view.funnels.map(funnelList),
    namesList('sources', { view, one: 'source', remarks: [] }),
    namesList('campaigns', { view, one: 'campaign', remarks: [] }),
    namesList('forms', { view, one: 'form', remarks: repeats }),
    namesList('pages', { view, one: 'page', remarks: others }),
    messagesList(view),
  ].filter(({ rows }) => rows.length > 0)
}

function namesList(
  drawn: 'sources' | 'campaigns' | 'forms' | 'pages',
  { view, one, remarks }: { view: ReportView; one: string; remarks: string[] },
): ReportList {
  const { rows, more }: RankedList = view[drawn]
  const { now, before } = view.headings
  return {
    drawn,
    title: listTitles[drawn],
    headings: before === null ? [drawn === 'pages' ? 'Views' : 'Leads'] : [now, before],
    rows: rows.map(({ name, share, count, before }) => ({
      name,
      share,
      figures: before === null ? [count] : [count, before],
    })),
    more: { names: more?.names ?? 0, one },
    remarks,
  }
}

function goalsList({ goals, goalNotes }: ReportView): ReportList {
  const most = Math.max(1, ...goals.map(({ visits }) => visits))
  return {
    drawn: 'goals',
    title: listTitles.goals,
    headings: ['Visits', 'Times'],
    rows: goals.map(({ name, conversion, visits, times }) => ({
      name: `${name} (${conversion})`,
      figures: [visits, times],
      share: visits / most,
    })),
    more: { names: 0, one: 'goal' },
    remarks: goalNotes,
  }
}

const funnelList = ({ name, steps, summary }: ReportView['funnels'][number], place: number): ReportList => ({
  drawn: drawnFunnel(place),
  title: name,
  headings: ['Visits'],
  rows: steps.map(({ name: step, visits, share }, position) => ({
    name: `${position + 1}. ${step}`,
    figures: [visits],
    share,
  })),
  more: { names: 0, one: 'step' },
  remarks: [summary],
})

function messagesList({ messages, moreMessages }: ReportView): ReportList {
  const most = Math.max(1, ...messages.map(({ human }) => human))
  return {
    drawn: 'messages',
    title: listTitles.messages,
    headings: ['Human', 'Suspected', 'Machine'],
    rows: messages.map(({ name, human, suspected, machine }) => ({
      name,
      figures: [human, suspected, machine],
      share: human / most,
    })),
    more: { names: moreMessages, one: 'message' },
    remarks: [],
  }
}

/** `and 3 more sources`; empty: all are shown. */
export const moreText = ({ names, one }: ReportList['more']): string[] =>
  names === 0 ? [] : [`and ${plural(names, `more ${one}`)}`]

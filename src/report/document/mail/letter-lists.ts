import { plural } from '../../../lib/quantities.ts'
import type { RankedList, RankedRow } from '../ranked-list.ts'
import type { ReportView } from '../report-view.ts'

/** The most names of a list in a mail; the page (`capture report --html`) shows more. */
const rowsMax = 8

/** A list of a letter, the same in HTML and in plain text. */
export interface LetterList {
  title: string
  /** The headings of the figures; only one if there is nothing to compare with. */
  headings: string[]
  rows: { name: string; figures: number[]; share: number }[]
  /** The text below the rows, or instead of them. */
  remarks: string[]
}

/** The lists of a letter, without empty ones. */
export function letterLists(view: ReportView): LetterList[] {
  const { sources, campaigns, pages, forms, viewsElsewhere, likelyDuplicates } = view
  const others = viewsElsewhere === 0 ? [] : [`${plural(viewsElsewhere, 'other page view')} elsewhere.`]
  const repeats = likelyDuplicates === 0 ? [] : [`${plural(likelyDuplicates, 'repeat')} of a lead not counted.`]
  return [
    goalsList(view),
    ...view.funnels.map(funnelList),
    rankedLetterList('Leads by source', sources, { view, one: 'source', remarks: [] }),
    rankedLetterList('Leads by campaign', campaigns, { view, one: 'campaign', remarks: [] }),
    rankedLetterList('Leads by form', forms, { view, one: 'form', remarks: repeats }),
    rankedLetterList('Most viewed pages', pages, { view, one: 'page', remarks: others }),
    messagesList(view),
  ].filter(({ rows }) => rows.length > 0)
}

function rankedLetterList(
  title: string,
  { rows, more }: RankedList,
  { view: { headings }, one, remarks }: { view: ReportView; one: string; remarks: string[] },
): LetterList {
  const rest = Math.max(0, rows.length - rowsMax) + (more?.names ?? 0)
  return {
    title,
    headings: headings.before === null ? [headings.now] : [headings.now, headings.before],
    rows: rows.slice(0, rowsMax).map(({ name, share, ...row }) => ({ name, share, figures: figuresOf(row) })),
    remarks: [...(rest === 0 ? [] : [`and ${plural(rest, `more ${one}`)}`]), ...remarks],
  }
}

const figuresOf = ({ count, before }: Pick<RankedRow, 'count' | 'before'>): number[] =>
  before === null ? [count] : [count, before]

function goalsList({ goals, goalNotes }: ReportView): LetterList {
  const most = Math.max(1, ...goals.map(({ visits }) => visits))
  return {
    title: 'Goals',
    headings: ['Visits', 'Times'],
    rows: goals.map(({ name, conversion, visits, times }) => ({
      name: `${name} (${conversion})`,
      figures: [visits, times],
      share: visits / most,
    })),
    remarks: goalNotes,
  }
}

const funnelList = ({ name, steps, summary }: ReportView['funnels'][number]): LetterList => ({
  title: name,
  headings: ['Visits'],
  rows: steps.map(({ name: step, visits, share }, position) => ({
    name: `${position + 1}. ${step}`,
    figures: [visits],
    share,
  })),
  remarks: [summary],
})

function messagesList({ messages, moreMessages }: ReportView): LetterList {
  const most = Math.max(1, ...messages.map(({ human }) => human))
  const rest = Math.max(0, messages.length - rowsMax) + moreMessages
  return {
    title: 'Clicks by message',
    headings: ['Human', 'Machines'],
    rows: messages
      .slice(0, rowsMax)
      .map(({ name, human, machine }) => ({ name, figures: [human, machine], share: human / most })),
    remarks: rest === 0 ? [] : [`and ${plural(rest, 'more message')}`],
  }
}

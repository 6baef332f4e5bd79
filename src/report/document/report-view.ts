import type { FiguresReport } from '../figures.ts'
import { beforeInWords, datesText, dayOfDate, fullDate, periodHeadings, periodTitle } from './dates-text.ts'
import { type GoalsView, goalsView } from './goals-view.ts'
import { type KeyFigure, keyFigures } from './key-figures.ts'
import { notesOf } from './notes.ts'
import type { DayRange } from './period.ts'
import { type Named, type RankedList, rankedList, shownName } from './ranked-list.ts'
import type { RefusalNote, ReportDocument } from './report-document.ts'
import { type Series, seriesOf } from './series.ts'
import { summaryOf } from './summary.ts'

/** A report in words and figures, ready to be laid out as a page, a mail or plain text. */
export interface ReportView {
  account: string
  /** `#rrggbb`; `null`: the account has none. */
  colour: string | null
  /** `October 2026`. */
  title: string
  /** The dates and their time zone. */
  dates: string
  isExample: boolean
  /** The summary in one or two sentences. */
  summary: string
  /** What readers must know about the figures. */
  notes: string[]
  /** The column headings of this period and the previous one; `before` is `null` if there is nothing to compare with. */
  headings: { now: string; before: string | null }
  /** `in September`, `the week before`. */
  beforeInWords: string
  keyFigures: KeyFigure[]
  leads: number
  series: Series
  /** Day by day; `null`: there is nothing to compare with, or the weekdays do not match. */
  seriesBefore: Series | null
  sources: RankedList
  /** Empty if no lead named a campaign. */
  campaigns: RankedList
  pages: RankedList
  /** Views on other websites, or from before views were counted by page. */
  viewsElsewhere: number
  forms: RankedList
  likelyDuplicates: number
  goals: GoalsView['goals']
  funnels: GoalsView['funnels']
  goalNotes: string[]
  messages: MessageRow[]
  /** The number of other messages. */
  moreMessages: number
  refusals: RefusalNote[]
  quarantined: number
  madeOn: string
}

export interface MessageRow {
  name: string
  human: number
  suspected: number
  machine: number
}

const messagesMax = 15

export function reportView(document: ReportDocument): ReportView {
  const { account, periods, figures, before, isExample } = document
  const headings = periodHeadings(periods)
  const comparable = isComparable(document) ? before : null
  return {
    account: shownName(account.name),
    colour: account.colour,
    title: periodTitle(periods.period),
    dates: datesText(periods, account.timezone),
    isExample,
    summary: summaryOf(document, comparable),
    notes: notesOf(document, comparable !== null),
    headings: { now: headings.now, before: comparable && headings.before },
    beforeInWords: beforeInWords(periods),
    keyFigures: keyFigures(figures.totals, comparable?.totals ?? null),
    leads: figures.totals.leads,
    ...seriesFor(document, comparable),
    ...namedLists(figures, comparable),
    ...goalsView(figures, comparable),
    likelyDuplicates: figures.totals.likelyDuplicates,
    refusals: document.refusals,
    quarantined: figures.quarantined,
    madeOn: fullDate(document.madeOn),
  }
}

/** Whether the previous period was counted completely. */
function isComparable({ before, periods }: ReportDocument): boolean {
  return before.known !== null && dayOfDate(before.known.first) <= periods.shownBefore.fromDay
}

function seriesFor(
  { figures, periods }: ReportDocument,
  comparable: FiguresReport | null,
): Pick<ReportView, 'series' | 'seriesBefore'> {
  const { shown, shownBefore } = periods
  const series = seriesOf(countedDays(shown, figures), figures.days)
  const isSideBySide = series.unit === 'day' && (shown.fromDay - shownBefore.fromDay) % 7 === 0
  return { series, seriesBefore: isSideBySide ? comparable && seriesOf(shownBefore, comparable.days) : null }
}

/** Days before counting began must not appear as days without visits. */
function countedDays({ fromDay, untilDay }: DayRange, { known }: FiguresReport): DayRange {
  const first = known === null ? untilDay : dayOfDate(known.first)
  return { fromDay: Math.min(Math.max(fromDay, first), untilDay), untilDay }
}

type NamedLists = Pick<
  ReportView,
  'sources' | 'campaigns' | 'pages' | 'viewsElsewhere' | 'forms' | 'messages' | 'moreMessages'
>

function namedLists(now: FiguresReport, before: FiguresReport | null): NamedLists {
  const list = <Row>(rowsOf: (figures: FiguresReport) => Row[], named: (row: Row) => Named) =>
    rankedList(rowsOf(now).map(named), before && rowsOf(before).map(named))
  const viewsOfPages = now.pages.reduce((sum, { views }) => sum + views, 0)
  return {
    sources: list(
      ({ sources }) => sources,
      ({ source, leads }) => ({ key: source, name: sourceNames.get(source) ?? source, count: leads }),
    ),
    campaigns: list(
      ({ campaigns }) => campaigns,
      ({ campaign, leads }) => ({ key: campaign, name: sourceNames.get(campaign) ?? campaign, count: leads }),
    ),
    pages: list(
      ({ pages }) => pages,
      ({ slug, views }) => ({ key: slug, name: `/${slug}`, count: views }),
    ),
    viewsElsewhere: Math.max(0, now.totals.views - viewsOfPages),
    forms: list(
      ({ forms }) => forms,
      ({ id, name, leads }) => ({ key: id, name: name ?? `${id} (no longer there)`, count: leads }),
    ),
    messages: now.messages.slice(0, messagesMax).map(({ message, ...clicks }) => ({
      name: message === null ? 'Links without a message' : shownName(message),
      ...clicks,
    })),
    moreMessages: Math.max(0, now.messages.length - messagesMax),
  }
}

/** Sources that the box names itself. */
const sourceNames: ReadonlyMap<string, string> = new Map([
  ['direct', 'Direct'],
  ['unknown', 'Unknown'],
  ['(other)', 'Other sources'],
])

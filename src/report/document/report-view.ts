import type { FiguresReport } from '../figures.ts'
import { isLinkedTo, type MissingAddress } from '../missing.ts'
import { type ChannelList, channelLists } from './channel-lists.ts'
import { type KeyFigure, keyFigures } from './key-figures.ts'
import { type GoalsView, goalsView, type NamesList, shownLists } from './lists.ts'
import {
  beforeInWords,
  type DayRange,
  datesText,
  dayOfDate,
  fullDate,
  type Headings,
  periodHeadings,
  periodTitle,
} from './period.ts'
import type { RefusalNote, ReportDocument } from './report-document.ts'
import { type Series, seriesOf } from './series.ts'
import { shownName } from './shown-name.ts'
import { notesOf, summaryOf } from './words.ts'

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
  /** Of lists of names and goals. */
  headings: Headings
  /** `in September`, `the week before`. */
  beforeInWords: string
  keyFigures: KeyFigure[]
  leads: number
  series: Series
  /** Day by day; `null`: there is nothing to compare with. */
  seriesBefore: Series | null
  channels: ChannelList[]
  lists: NamesList[]
  goals: GoalsView['goals']
  funnels: GoalsView['funnels']
  splits: GoalsView['splits']
  goalNotes: string[]
  refusals: RefusalNote[]
  /** Addresses that visitors asked for often and did not find, most first. */
  missing: MissingAddress[]
  quarantined: number
  madeOn: string
}

export function reportView(document: ReportDocument): ReportView {
  const { account, periods, figures, before, isExample } = document
  const comparable = isComparable(document) ? before : null
  const both = periodHeadings(periods)
  // Names and goals are known by whole days only: beside figures up to an hour they would not add up.
  const comparableNames = periods.isOver ? comparable : null
  const headings = { ...both, before: comparableNames && both.before }
  return {
    account: shownName(account.name),
    colour: account.colour,
    title: periodTitle(periods.period),
    dates: datesText(periods, account.timezone),
    isExample,
    summary: summaryOf(document, comparable),
    notes: notesOf(document, comparable !== null),
    headings,
    beforeInWords: beforeInWords(periods),
    keyFigures: keyFigures(figures.totals, comparable?.totals ?? null),
    leads: figures.totals.leads,
    ...seriesFor(document, comparable),
    channels: channelLists(figures.channels),
    lists: shownLists(figures, comparableNames, headings),
    ...goalsView(figures, comparableNames),
    refusals: document.refusals,
    missing: figures.missing.filter(isWorthMending).slice(0, missingMax),
    quarantined: figures.quarantined,
    madeOn: fullDate(document.madeOn),
  }
}

const missingMax = 10
/** Fewer are strays: a mistyped address, a program that tries some. */
const missingCountMin = 5

const isWorthMending = (address: MissingAddress): boolean => address.count >= missingCountMin && isLinkedTo(address)

/** Whether the previous period was counted completely. */
function isComparable({ before, periods }: ReportDocument): boolean {
  return before.known !== null && dayOfDate(before.known.first) <= periods.shownBefore.fromDay
}

function seriesFor(
  { figures, periods }: ReportDocument,
  comparable: FiguresReport | null,
): Pick<ReportView, 'series' | 'seriesBefore'> {
  const { shown, shownBefore, isOver } = periods
  const series = seriesOf(countedDays(shown, figures), figures.days, isOver ? null : shown.untilDay - 1)
  const isSideBySide = series.unit === 'day' && series.points.length === shown.untilDay - shown.fromDay
  return { series, seriesBefore: isSideBySide ? comparable && seriesOf(shownBefore, comparable.days) : null }
}

/** Days before counting began must not appear as days without visits. */
function countedDays({ fromDay, untilDay }: DayRange, { known }: FiguresReport): DayRange {
  const first = known === null ? untilDay : dayOfDate(known.first)
  return { fromDay: Math.min(Math.max(fromDay, first), untilDay), untilDay }
}

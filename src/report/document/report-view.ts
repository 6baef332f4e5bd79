import { Locale } from '../../language/locale.ts'
import { isUntold } from '../channels.ts'
import type { FiguresReport } from '../figures.ts'
import { isLinkedTo, type MissingAddress } from '../missing.ts'
import { type ChannelList, channelLists } from './channel-lists.ts'
import { type KeyFigure, keyFigures } from './key-figures.ts'
import { type GoalsView, goalsView, type NamesList, namesLists } from './lists.ts'
import {
  beforeInWords,
  type DayRange,
  datesText,
  dayOfDate,
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
  locale: Locale
  account: string
  /** `#rrggbb`; `null`: the account has none. */
  colour: string | null
  /** `October 2026`. */
  title: string
  /** The dates and their time zone. */
  dates: string
  isExample: boolean
  /** Whether anything of the account has ever been counted. */
  isCounted: boolean
  /** One or two sentences, for a mail; the page has them in figures and lists. */
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
  /** Whether there are leads, and none has a known visit. */
  isUntold: boolean
  lists: NamesList[]
  goals: GoalsView['goals']
  funnels: GoalsView['funnels']
  splits: GoalsView['splits']
  goalNotes: string[]
  /** `A form was longer than is accepted: 5 times.`, and what to do, in one sentence. */
  refusals: { times: string; advice: string }[]
  /** Addresses that visitors asked for often and did not find, most first. */
  missing: MissingAddress[]
  quarantined: number
  madeOn: string
}

/** In the language of the account. */
export function reportView(document: ReportDocument): ReportView {
  const { account, periods, figures, before, isExample } = document
  const locale = new Locale(account.language)
  const comparable = isComparable(document) ? before : null
  const both = periodHeadings(periods, locale)
  // Names and goals are known by whole days only: beside figures up to an hour they would not add up.
  const comparableNames = periods.isOver ? comparable : null
  const headings = { ...both, before: comparableNames && both.before }
  return {
    locale,
    account: shownName(account.name),
    colour: account.colour,
    title: periodTitle(periods.period, locale),
    dates: datesText(periods, account.timezone, locale),
    isExample,
    isCounted: figures.known !== null,
    summary: summaryOf(document, comparable, locale),
    notes: notesOf(document, comparable !== null, locale),
    headings,
    beforeInWords: beforeInWords(periods, locale),
    keyFigures: keyFigures(figures, comparable, locale),
    leads: figures.totals.leads,
    ...seriesFor(document, comparable, locale),
    channels: channelLists(figures.channels, locale),
    isUntold: isUntold(figures.channels),
    lists: namesLists(figures, comparableNames, { headings, locale }),
    ...goalsView(figures, comparableNames, locale),
    refusals: document.refusals.map((note) => refusalTexts(note, locale)),
    missing: figures.missing.filter(isWorthMending).slice(0, missingMax),
    quarantined: figures.quarantined,
    madeOn: locale.day(document.madeOn, 'date'),
  }
}

function refusalTexts({ count, reason }: RefusalNote, locale: Locale): ReportView['refusals'][number] {
  const { times, reasons } = locale.texts.report.keptOut
  const { what, advice } = reasons[reason]
  return { times: locale.plural(times, count, { what }), advice }
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
  locale: Locale,
): Pick<ReportView, 'series' | 'seriesBefore'> {
  const { shown, shownBefore, isOver } = periods
  const openDay = isOver ? null : shown.untilDay - 1
  const series = seriesOf(countedDays(shown, figures), figures.days, { locale, openDay })
  const isSideBySide = series.unit === 'day' && series.points.length === shown.untilDay - shown.fromDay
  const seriesBefore = isSideBySide && comparable ? seriesOf(shownBefore, comparable.days, { locale }) : null
  return { series, seriesBefore }
}

/** Days before counting began must not appear as days without visits. */
function countedDays({ fromDay, untilDay }: DayRange, { known }: FiguresReport): DayRange {
  const first = known === null ? untilDay : dayOfDate(known.first)
  return { fromDay: Math.min(Math.max(fromDay, first), untilDay), untilDay }
}

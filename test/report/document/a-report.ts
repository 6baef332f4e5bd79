import { dateOfDay } from '../../../src/lib/local-day.ts'
import { type ChannelRow, type Channels, type ChannelTable, channelTableNames } from '../../../src/report/channels.ts'
import { comparedPeriods, documentPeriod } from '../../../src/report/document/period.ts'
import type { ReportDocument } from '../../../src/report/document/report-document.ts'
import type { DailyFigures, FiguresReport } from '../../../src/report/figures.ts'
import { total } from '../../../src/report/figures-report.ts'
import { noFigures } from '../../cli/no-figures.ts'

export const dayOf = (date: string): number => Date.parse(date) / 86_400_000

type FiguresPart = Partial<Omit<FiguresReport, 'days' | 'totals'>> & { of?: (day: number) => Partial<DailyFigures> }

/** Figures of these days, by default of one visit on each, as the report room puts them together. */
export function figuresOf(
  from: string,
  until: string,
  { of = () => ({ visits: 1 }), ...others }: FiguresPart = {},
): FiguresReport {
  const days = Array.from({ length: dayOf(until) - dayOf(from) }, (_, index) => ({
    date: dateOfDay(dayOf(from) + index),
    ...noFigures,
    ...of(dayOf(from) + index),
  }))
  return {
    from,
    to: dateOfDay(dayOf(until) - 1),
    totals: total(days),
    days,
    forms: [],
    sources: [],
    campaigns: [],
    pages: [],
    messages: [],
    channels: channelsOf(),
    goals: [],
    funnels: [],
    splits: [],
    refusals: [],
    missing: [],
    quarantined: 0,
    known: { first: '2026-01-01', last: '2026-11-22' },
    ...others,
  }
}

/** Channels of which some tables have these rows. */
export const channelsOf = (
  rows: Partial<Record<ChannelTable, (Pick<ChannelRow, 'name'> & Partial<ChannelRow>)[]>> = {},
): Channels => {
  const tables = channelTableNames.map((table) => [
    table,
    (rows[table] ?? []).map((row): ChannelRow => ({ visits: 1, visitors: 1, leads: 0, conversion: 0, ...row })),
  ])
  return Object.fromEntries(tables) as Channels
}

interface Wanted extends Partial<Omit<ReportDocument, 'periods' | 'figures' | 'before'>> {
  from?: string
  until?: string
  today?: string
  now?: FiguresPart
  earlier?: FiguresPart
}

/** A report of October 2026, made in November; what a test is about, it overrides. */
export function aReport({
  from = '2026-10-01',
  until = '2026-11-01',
  today = '2026-11-22',
  now = {},
  earlier = {},
  ...others
}: Wanted = {}): ReportDocument {
  const periods = comparedPeriods(documentPeriod({ fromDay: dayOf(from), untilDay: dayOf(until) }), dayOf(today))
  const { shown, shownBefore } = periods
  return {
    account: { name: 'Acme Studio', timezone: 'Europe/Berlin', language: null, colour: '#b3261e' },
    periods,
    figures: figuresOf(dateOfDay(shown.fromDay), dateOfDay(shown.untilDay), now),
    before: figuresOf(dateOfDay(shownBefore.fromDay), dateOfDay(shownBefore.untilDay), earlier),
    refusals: [],
    waiting: 0,
    madeOn: dayOf(today),
    isExample: false,
    ...others,
  }
}

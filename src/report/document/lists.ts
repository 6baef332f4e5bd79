import { pageItself } from '../../account/split.ts'
import type { Locale } from '../../language/locale.ts'
import { filled, type Plural } from '../../language/wording.ts'
import type { ChannelTable } from '../channels.ts'
import {
  type AimFigures,
  type FigureList,
  type FiguresReport,
  type FunnelFigures,
  type GoalFigures,
  type ListRow,
  lists,
  type ReportedList,
  reportedLists,
} from '../figures.ts'
import { percentOf } from '../percent.ts'
import { type SplitFigures, splitVisitsMin, type VersionFigures, verdictOn } from '../splits.ts'
import type { ChannelList } from './channel-lists.ts'
import { percentText } from './key-figures.ts'
import { dayOfDate, type Headings } from './period.ts'
import { shownName } from './shown-name.ts'

/** Identifies a list of a report: one of names, the goals, or a funnel by its place. */
export type DrawnList = ReportedList | ChannelTable | 'goals' | `funnel-${number}` | `split-${number}`

/** Names with their figures, most first: the same on a page, in a mail and as a picture. */
export interface NamesList {
  drawn: DrawnList
  title: string
  /** Of the names. */
  heading: string
  /** Of the figures: those of the list, or this period and the one before. */
  headings: string[]
  /** `share`: of the longest bar, 0 to 1. */
  rows: { name: string; figures: number[]; share: number }[]
  /** The names that are not among the rows, and what they come to, where that is shown. */
  more: { names: number; figures: (number | null)[]; forms: Plural }
  /** Below the rows, or instead of them. */
  remarks: string[]
  hint?: string | undefined
  /** What stands in place of an empty list; `null`: the list is left out. */
  empty: string | null
}

/** The most rows of a list of names; strangers may send any number of names. */
const rowsMax = 15

/** What a list needs beside its figures. */
interface Listing {
  headings: Headings
  locale: Locale
}

/** The lists of names. @param before `null`: there is nothing to compare with */
export function namesLists(now: FiguresReport, before: FiguresReport | null, listing: Listing): NamesList[] {
  return reportedLists.map((name) => {
    const texts: ListTexts = listing.locale.texts.report.lists[name]
    return {
      title: texts.title,
      heading: texts.heading,
      hint: texts.hint,
      empty: texts.empty ?? null,
      ...shownRows(name, { now: now[name], before: before?.[name] ?? null, forms: texts.more }, listing),
      drawn: name,
      remarks: remarksOf[name]?.(now, listing.locale) ?? [],
    }
  })
}

/** What a report says of a list. */
interface ListTexts {
  title: string
  heading: string
  more: Plural
  /** In place of an empty list; absent: the report leaves it out. */
  empty?: string
  /** Below the list, on a page. */
  hint?: string
}

interface Listed {
  now: readonly ListRow[]
  before: readonly ListRow[] | null
  forms: Plural
}

/** A list of a single count is compared with that of the period before. */
function shownRows(
  name: ReportedList,
  { now, before, forms }: Listed,
  { headings, locale }: Listing,
): Pick<NamesList, 'headings' | 'rows' | 'more'> {
  const texts = locale.texts.report
  const { key, counts }: FigureList = lists[name]
  const columns = Object.keys(counts).filter((column) => !counts[column]?.isAside)
  const first = columns[0] ?? ''
  const isCompared = columns.length === 1 && before !== null
  const earlier = new Map(before?.map((row) => [row[key], Number(row[first])]))
  const counted = now.filter((row) => columns.some((column) => Number(row[column]) > 0))
  const most = counted.reduce((most, row) => Math.max(most, Number(row[first])), 1)
  // A row that says "1 more" could be that one.
  const rest = counted.slice(counted.length === rowsMax + 1 ? rowsMax + 1 : rowsMax)
  const sums = columns.map((column) => rest.reduce((sum, row) => sum + Number(row[column]), 0))
  return {
    headings: isCompared
      ? [headings.now, headings.before ?? '']
      : columns.map((column) => counts[column]?.heading(texts) ?? ''),
    rows: counted.slice(0, counted.length - rest.length).map((row) => ({
      name: shownName(lists[name].shown(row, texts)),
      figures: [
        ...columns.map((column) => Number(row[column])),
        ...(isCompared ? [earlier.get(row[key] ?? null) ?? 0] : []),
      ],
      share: Number(row[first]) / most,
    })),
    more: { names: rest.length, figures: isCompared ? [...sums, null] : sums, forms },
  }
}

/** What is counted beside the names. */
const remarksOf: Partial<Record<ReportedList, (figures: FiguresReport, locale: Locale) => string[]>> = {
  pages({ totals, pages }, locale) {
    const others = totals.views - pages.reduce((sum, { views }) => sum + views, 0)
    return others <= 0 ? [] : [locale.plural(locale.texts.report.lists.pages.elsewhere, others)]
  },
  forms({ totals: { likelyDuplicates } }, locale) {
    return likelyDuplicates === 0 ? [] : [locale.plural(locale.texts.report.lists.forms.repeats, likelyDuplicates)]
  },
}

/** A goal as a report shows it. */
interface GoalRow {
  name: string
  visits: number
  times: number
  /** `2.7%`; a dash: there were no visits. */
  conversion: string
  /** Visits of the previous period; `null`: there is nothing to compare with, or the goal was not counted yet. */
  before: number | null
  share: number
}

interface FunnelView {
  drawn: DrawnList
  name: string
  steps: { name: string; visits: number; ofFirst: string; share: number }[]
  /** In one sentence. */
  summary: string
}

/** A split page as a report shows it. */
interface SplitView {
  drawn: DrawnList
  title: string
  /** `interval`: `null` where it is too early for one. */
  versions: {
    name: string
    visits: number
    leads: number
    conversion: string
    interval: string | null
    share: number
  }[]
  /** Whether enough visits saw two of them to compare. */
  isTold: boolean
  /** In one sentence. */
  verdict: string
}

export interface GoalsView {
  goals: GoalRow[]
  funnels: FunnelView[]
  splits: SplitView[]
  /** Goals and funnels whose counting began within the period. */
  goalNotes: string[]
}

export function goalsView(now: FiguresReport, before: FiguresReport | null, locale: Locale): GoalsView {
  const most = Math.max(1, ...now.goals.map(({ visits }) => visits))
  return {
    goals: now.goals.map((goal) => ({
      name: shownName(goal.name),
      visits: goal.visits,
      times: goal.times,
      conversion: percentText(goal.conversion, locale),
      before: visitsBefore(goal, before),
      share: goal.visits / most,
    })),
    funnels: now.funnels.map((funnel, place) => ({ ...funnelView(funnel, now, locale), drawn: `funnel-${place + 1}` })),
    splits: now.splits.map((split, place) => ({ ...splitView(split, locale), drawn: `split-${place + 1}` })),
    goalNotes: [...now.goals, ...now.funnels].flatMap((counted) => sinceNote(counted, locale)),
  }
}

function visitsBefore({ name, since }: GoalFigures, before: FiguresReport | null): number | null {
  const earlier = before?.goals.find((goal) => goal.name === name)
  return since !== null || earlier === undefined || earlier.since !== null ? null : earlier.visits
}

function funnelView(
  { name, steps, conversion }: FunnelFigures,
  figures: FiguresReport,
  locale: Locale,
): Omit<FunnelView, 'drawn'> {
  const texts = locale.texts.report.funnels
  const first = steps[0]?.visits ?? 0
  return {
    name: shownName(name),
    steps: steps.map((step) => ({
      name: aimText(step, figures, locale),
      visits: step.visits,
      ofFirst: percentText(percentOf(step.visits, first), locale),
      share: first === 0 ? 0 : step.visits / first,
    })),
    summary: conversion === null ? texts.nobody : filled(texts.reached, { percent: locale.percent(conversion) }),
  }
}

function splitView({ page, variants }: SplitFigures, locale: Locale): Omit<SplitView, 'drawn'> {
  const texts = locale.texts.report.splits
  const compared = variants.filter(({ visits }) => visits >= splitVisitsMin)
  const most = Math.max(0.1, ...compared.map(({ conversion }) => conversion ?? 0))
  const interval = ({ low, high }: VersionFigures): string =>
    filled(texts.fromTo, { low: percentText(low, locale), high: percentText(high, locale) })
  return {
    title: filled(texts.titleOf, { page: `/${page}` }),
    versions: variants.map((version) => {
      const { name, visits, leads, conversion } = version
      const shown = { name: name === pageItself ? filled(texts.itself, { name }) : name, visits, leads }
      return compared.includes(version)
        ? {
            ...shown,
            conversion: percentText(conversion, locale),
            interval: interval(version),
            share: (conversion ?? 0) / most,
          }
        : { ...shown, conversion: texts.tooEarly, interval: null, share: 0 }
    }),
    isTold: compared.length > 1,
    verdict:
      compared.length > 1
        ? filled(texts.verdict, { verdict: verdictOn(variants, locale) })
        : filled(texts.tooFew, {
            versions: variants.map((version, place) => seenText(version, place === 0, locale)).join(', '),
          }),
  }
}

/** `a: 0 visits`, after it `b: 5` */
const seenText = ({ name, visits }: VersionFigures, isFirst: boolean, locale: Locale): string =>
  filled(locale.texts.report.splits.seen, {
    name,
    visits: isFirst ? locale.plural(locale.texts.report.counted.visits, visits) : locale.count(visits),
  })

function sinceNote({ name, since }: Pick<GoalFigures, 'name' | 'since'>, locale: Locale): string[] {
  if (since === null) return []
  const date = locale.day(dayOfDate(since), 'date')
  return [filled(locale.texts.report.goals.since, { name: shownName(name), date })]
}

function aimText({ form, event, page }: AimFigures, { forms }: FiguresReport, locale: Locale): string {
  const texts = locale.texts.report.goals
  if (form !== undefined)
    return filled(texts.form, { name: shownName(forms.find(({ id }) => id === form)?.name ?? form) })
  return event === undefined ? (page ?? '') : filled(texts.event, { name: shownName(event) })
}

/** What a report shows as lists. */
interface ListedView extends GoalsView {
  channels: ChannelList[]
  lists: NamesList[]
  locale: Locale
}

/** The lists of a mail, and those that can be drawn: without empty ones. */
export const reportLists = (view: ListedView): NamesList[] =>
  [
    ...view.channels.map((channel, place) => namesOfChannels(channel, { isFirst: place === 0, locale: view.locale })),
    goalsList(view),
    ...view.funnels.map((funnel) => funnelList(funnel, view)),
    ...view.splits.map((split) => splitList(split, view)),
    ...view.lists,
  ].filter(({ rows }) => rows.length > 0)

function namesOfChannels(
  { drawn, title, heading, rows, more }: ChannelList,
  { isFirst, locale }: { isFirst: boolean; locale: Locale },
): NamesList {
  const { figures, channels } = locale.texts.report
  const hasBrackets = ({ leads, conversion }: ChannelList['rows'][number]) => leads > 0 && conversion !== null
  return {
    drawn,
    title,
    heading,
    headings: [figures.visits, figures.leads],
    rows: rows.map((row) => ({
      name: hasBrackets(row) ? `${row.name} (${percentText(row.conversion, locale)})` : row.name,
      figures: [row.visits, row.leads],
      share: row.share ?? 0,
    })),
    more: { names: more.names, figures: [more.visits, more.leads], forms: more.forms },
    remarks: isFirst && rows.some(hasBrackets) ? [channels.inBrackets] : [],
    empty: null,
  }
}

function goalsList({ goals, goalNotes, locale }: ListedView): NamesList {
  const texts = locale.texts.report
  return {
    drawn: 'goals',
    title: texts.goals.title,
    heading: texts.goals.heading,
    headings: [texts.figures.visits, texts.goals.times],
    rows: goals.map(({ name, conversion, visits, times, share }) => ({
      name: `${name} (${conversion})`,
      figures: [visits, times],
      share,
    })),
    more: { names: 0, figures: [], forms: texts.goals.more },
    remarks: goalNotes,
    empty: null,
  }
}

function funnelList({ drawn, name, steps, summary }: FunnelView, { locale }: ListedView): NamesList {
  const texts = locale.texts.report
  return {
    drawn,
    title: name,
    heading: texts.funnels.step,
    headings: [texts.figures.visits],
    rows: steps.map(({ name, visits, share }, position) => ({
      name: `${position + 1}. ${name}`,
      figures: [visits],
      share,
    })),
    more: { names: 0, figures: [], forms: texts.funnels.more },
    remarks: [summary],
    empty: null,
  }
}

function splitList({ drawn, title, versions, verdict }: SplitView, { locale }: ListedView): NamesList {
  const texts = locale.texts.report
  return {
    drawn,
    title,
    heading: texts.splits.version,
    headings: [texts.figures.visits, texts.figures.leads],
    rows: versions.map(({ name, conversion, visits, leads, share }) => ({
      name: `${name} (${conversion})`,
      figures: [visits, leads],
      share,
    })),
    more: { names: 0, figures: [], forms: texts.splits.more },
    remarks: [verdict],
    empty: null,
  }
}

/** `and 3 more sources`; empty: all are shown. */
export const moreText = ({ names, forms }: Pick<NamesList['more'], 'names' | 'forms'>, locale: Locale): string[] =>
  names === 0 ? [] : [locale.plural(forms, names)]

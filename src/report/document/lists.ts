import { pageItself } from '../../account/split.ts'
import { plural } from '../../lib/quantities.ts'
import type { ChannelTable } from '../channels.ts'
import {
  type AimFigures,
  type FigureList,
  type FiguresReport,
  type FunnelFigures,
  type GoalFigures,
  type ListName,
  type ListRow,
  listNames,
  lists,
} from '../figures.ts'
import type { SplitFigures } from '../splits.ts'
import type { ChannelList } from './channel-lists.ts'
import { percentText } from './key-figures.ts'
import { dayOfDate, fullDate, type Headings } from './period.ts'
import { shownName } from './shown-name.ts'

/** Identifies a list of a report: one of names, the goals, or a funnel by its place. */
export type DrawnList = ListName | ChannelTable | 'goals' | `funnel-${number}` | `split-${number}`

/** Names with their figures, most first: the same on a page, in a mail and as a picture. */
export interface NamesList {
  drawn: DrawnList
  title: string
  /** Of the names, and the noun for one of them. */
  heading: string
  one: string
  /** Of the figures: those of the list, or this period and the one before. */
  headings: string[]
  /** `share`: of the longest bar, 0 to 1. */
  rows: { name: string; figures: number[]; share: number }[]
  /** The names that are not among the rows, and what they come to, where that is shown. */
  more: { names: number; figures: (number | null)[] }
  /** Below the rows, or instead of them. */
  remarks: string[]
  hint?: string | undefined
  /** What stands in place of an empty list; `null`: the list is left out. */
  empty: string | null
}

/** The most rows of a list of names; strangers may send any number of names. */
const rowsMax = 15

/** The lists of names, those first that a report begins with. @param before `null`: there is nothing to compare with */
export function shownLists(now: FiguresReport, before: FiguresReport | null, headings: Headings): NamesList[] {
  const isFirst = (name: ListName): boolean => (lists[name] as FigureList).isFirst === true
  const shown = listNames.filter((name) => !(lists[name] as FigureList).isChannel)
  const names = [...shown.filter(isFirst), ...shown.filter((name) => !isFirst(name))]
  return names.map((name) => ({
    ...shownRows(lists[name], now[name], { before: before?.[name] ?? null, headings }),
    drawn: name,
    remarks: remarksOf[name]?.(now) ?? [],
  }))
}

/** A list of a single count is compared with that of the period before. */
function shownRows(
  list: FigureList,
  all: readonly ListRow[],
  { before, headings }: { before: readonly ListRow[] | null; headings: Headings },
): Omit<NamesList, 'drawn' | 'remarks'> {
  const { key, counts, title, heading, one, hint, empty, shown } = list
  const columns = Object.keys(counts).filter((column) => !counts[column]?.isAside)
  const first = columns[0] ?? ''
  const isCompared = columns.length === 1 && before !== null
  const earlier = new Map(before?.map((row) => [row[key], Number(row[first])]))
  const counted = all.filter((row) => columns.some((column) => Number(row[column]) > 0))
  const most = counted.reduce((most, row) => Math.max(most, Number(row[first])), 1)
  // A row that says "1 more" could be that one.
  const rest = counted.slice(counted.length === rowsMax + 1 ? rowsMax + 1 : rowsMax)
  const sums = columns.map((column) => rest.reduce((sum, row) => sum + Number(row[column]), 0))
  return {
    title,
    heading,
    one,
    hint,
    empty,
    headings: isCompared
      ? [headings.now, headings.before ?? '']
      : columns.map((column) => counts[column]?.heading ?? ''),
    rows: counted.slice(0, counted.length - rest.length).map((row) => ({
      name: shownName(shown(row)),
      figures: [
        ...columns.map((column) => Number(row[column])),
        ...(isCompared ? [earlier.get(row[key] ?? null) ?? 0] : []),
      ],
      share: Number(row[first]) / most,
    })),
    more: { names: rest.length, figures: isCompared ? [...sums, null] : sums },
  }
}

/** What is counted beside the names. */
const remarksOf: Partial<Record<ListName, (figures: FiguresReport) => string[]>> = {
  pages({ totals, pages }) {
    const others = totals.views - pages.reduce((sum, { views }) => sum + views, 0)
    return others <= 0 ? [] : [`${plural(others, 'other page view')}: on other websites with the script.`]
  },
  forms({ totals: { likelyDuplicates } }) {
    if (likelyDuplicates === 0) return []
    return [
      `${plural(likelyDuplicates, 'repeat')} of a lead ${likelyDuplicates === 1 ? 'is' : 'are'} not counted here.`,
    ]
  },
}

/** A goal as a report shows it. */
interface GoalRow {
  name: string
  /** What the goal counts, unless its name says it. */
  what: string
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
  versions: { name: string; visits: number; leads: number; conversion: string; interval: string; share: number }[]
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

export function goalsView(now: FiguresReport, before: FiguresReport | null): GoalsView {
  const most = Math.max(1, ...now.goals.map(({ visits }) => visits))
  return {
    goals: now.goals.map((goal) => ({
      name: shownName(goal.name),
      what: aimText(goal, now),
      visits: goal.visits,
      times: goal.times,
      conversion: percentText(goal.conversion),
      before: visitsBefore(goal, before),
      share: goal.visits / most,
    })),
    funnels: now.funnels.map((funnel, place) => ({ ...funnelView(funnel, now), drawn: `funnel-${place + 1}` })),
    splits: now.splits.map((split, place) => ({ ...splitView(split), drawn: `split-${place + 1}` })),
    goalNotes: [...now.goals, ...now.funnels].flatMap(sinceNote),
  }
}

function visitsBefore({ name, since }: GoalFigures, before: FiguresReport | null): number | null {
  const earlier = before?.goals.find((goal) => goal.name === name)
  return since !== null || earlier === undefined || earlier.since !== null ? null : earlier.visits
}

function funnelView({ name, steps, conversion }: FunnelFigures, figures: FiguresReport): Omit<FunnelView, 'drawn'> {
  const first = steps[0]?.visits ?? 0
  const percent = (visits: number) => (first === 0 ? null : (visits / first) * 100)
  return {
    name: shownName(name),
    steps: steps.map((step) => ({
      name: aimText(step, figures),
      visits: step.visits,
      ofFirst: percentText(percent(step.visits)),
      share: first === 0 ? 0 : step.visits / first,
    })),
    summary:
      conversion === null
        ? 'No visit reached the first step.'
        : `${percentText(conversion)} of the visits that reached the first step also reached the last.`,
  }
}

function splitView({ page, variants, verdict }: SplitFigures): Omit<SplitView, 'drawn'> {
  const most = Math.max(0.1, ...variants.map(({ conversion }) => conversion ?? 0))
  return {
    title: `Versions of /${page}`,
    versions: variants.map(({ name, visits, leads, conversion, low, high }) => ({
      name: name === pageItself ? `${name} (the page itself)` : name,
      visits,
      leads,
      conversion: percentText(conversion),
      interval: conversion === null ? '–' : `${percentText(low)} to ${percentText(high)}`,
      share: (conversion ?? 0) / most,
    })),
    verdict: `Verdict: ${verdict}.`,
  }
}

function sinceNote({ name, since }: Pick<GoalFigures, 'name' | 'since'>): string[] {
  return since === null
    ? []
    : [`${shownName(name)} is counted since ${fullDate(dayOfDate(since))}; its share is that of the visits since then.`]
}

function aimText({ form, event, page }: AimFigures, { forms }: FiguresReport): string {
  if (form !== undefined) return `Form ${shownName(forms.find(({ id }) => id === form)?.name ?? form)}`
  return event === undefined ? (page ?? '') : `Event ${shownName(event)}`
}

/** The lists of a mail, and those that can be drawn: without empty ones. */
export const reportLists = (view: GoalsView & { channels: ChannelList[]; lists: NamesList[] }): NamesList[] =>
  [
    ...view.channels.map(namesOfChannels),
    goalsList(view),
    ...view.funnels.map(funnelList),
    ...view.splits.map(splitList),
    ...view.lists,
  ].filter(({ rows }) => rows.length > 0)

const namesOfChannels = ({ drawn, heading, one, rows, more }: ChannelList): NamesList => ({
  drawn,
  title: `What works, by ${one}`,
  heading,
  one,
  headings: ['Visits', 'Leads'],
  rows: rows.map(({ name, visits, leads, conversion, share }) => ({
    name: leads === 0 ? name : `${name} (${conversion})`,
    figures: [visits, leads],
    share,
  })),
  more: { names: more.names, figures: [more.visits, more.leads] },
  remarks: [],
  empty: null,
})

const goalsList = ({ goals, goalNotes }: GoalsView): NamesList => ({
  drawn: 'goals',
  title: 'Goals',
  heading: 'Goal',
  one: 'goal',
  headings: ['Visits', 'Times'],
  rows: goals.map(({ name, conversion, visits, times, share }) => ({
    name: `${name} (${conversion})`,
    figures: [visits, times],
    share,
  })),
  more: { names: 0, figures: [] },
  remarks: goalNotes,
  empty: null,
})

const funnelList = ({ drawn, name, steps, summary }: FunnelView): NamesList => ({
  drawn,
  title: name,
  heading: 'Step',
  one: 'step',
  headings: ['Visits'],
  rows: steps.map(({ name, visits, share }, position) => ({
    name: `${position + 1}. ${name}`,
    figures: [visits],
    share,
  })),
  more: { names: 0, figures: [] },
  remarks: [summary],
  empty: null,
})

const splitList = ({ drawn, title, versions, verdict }: SplitView): NamesList => ({
  drawn,
  title,
  heading: 'Version',
  one: 'version',
  headings: ['Visits', 'Leads'],
  rows: versions.map(({ name, conversion, visits, leads, share }) => ({
    name: `${name} (${conversion})`,
    figures: [visits, leads],
    share,
  })),
  more: { names: 0, figures: [] },
  remarks: [verdict],
  empty: null,
})

/** `and 3 more sources`; empty: all are shown. */
export const moreText = ({ more: { names }, one }: Pick<NamesList, 'more' | 'one'>): string[] =>
  names === 0 ? [] : [`and ${plural(names, `more ${one}`)}`]

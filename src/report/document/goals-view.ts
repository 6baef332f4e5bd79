import type { AimFigures, FiguresReport, FunnelFigures, GoalFigures } from '../figures.ts'
import { dayOfDate, fullDate } from './dates-text.ts'
import { shownName } from './ranked-list.ts'

/** A goal as a report shows it. */
export interface GoalRow {
  name: string
  /** What the goal counts, unless its name says it. */
  what: string
  visits: number
  times: number
  /** `2.7%`; a dash: there were no visits. */
  conversion: string
  /** Visits of the previous period; `null`: there is nothing to compare with, or the goal was not counted yet. */
  before: number | null
}

export interface FunnelView {
  name: string
  steps: { name: string; visits: number; ofFirst: string; share: number }[]
  /** In one sentence. */
  summary: string
}

export interface GoalsView {
  goals: GoalRow[]
  funnels: FunnelView[]
  /** Goals and funnels whose counting began within the period. */
  goalNotes: string[]
}

const dash = '–'

export function goalsView(now: FiguresReport, before: FiguresReport | null): GoalsView {
  return {
    goals: now.goals.map((goal) => ({
      name: shownName(goal.name),
      what: aimText(goal, now),
      visits: goal.visits,
      times: goal.times,
      conversion: percentText(goal.conversion),
      before: visitsBefore(goal, before),
    })),
    funnels: now.funnels.map((funnel) => funnelView(funnel, now)),
    goalNotes: [...now.goals, ...now.funnels].flatMap(sinceNote),
  }
}

function visitsBefore({ name, since }: GoalFigures, before: FiguresReport | null): number | null {
  const earlier = before?.goals.find((goal) => goal.name === name)
  return since !== null || earlier === undefined || earlier.since !== null ? null : earlier.visits
}

function funnelView({ name, steps, conversion }: FunnelFigures, figures: FiguresReport): FunnelView {
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

function sinceNote({ name, since }: Pick<GoalFigures, 'name' | 'since'>): string[] {
  return since === null
    ? []
    : [`${shownName(name)} is counted since ${fullDate(dayOfDate(since))}; its share is that of the visits since then.`]
}

function aimText({ form, event, page }: AimFigures, { forms }: FiguresReport): string {
  if (form !== undefined) return `Form ${shownName(forms.find(({ id }) => id === form)?.name ?? form)}`
  return event === undefined ? (page ?? '') : `Event ${shownName(event)}`
}

const percentText = (percent: number | null): string => (percent === null ? dash : `${percent.toFixed(1)}%`)

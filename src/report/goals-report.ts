import { type Aim, aimKey, funnelKey, type GoalSettings, stepKey } from '../account/goal.ts'
import { dateOfDay, localDay } from '../lib/local-day.ts'
import type { Measure } from '../processing/figures/measures.ts'
import type { FiguresReport, FunnelFigures, GoalFigures } from './figures.ts'
import type { StoredFigures } from './figures-reader.ts'

type Counted = Pick<StoredFigures, 'byName' | 'goalsSince' | 'goalsFirstDone'>

interface Reported {
  from: string
  days: FiguresReport['days']
  timezone: string
}

/** The account's goals and funnels as configured now, in order, without removed ones. */
export function goalsReport(
  { goals, funnels }: GoalSettings,
  counted: Counted,
  reported: Reported,
): { goals: GoalFigures[]; funnels: FunnelFigures[] } {
  const countOf = counts(counted)
  const basisOf = (key: string, figure: string) => basis({ key, figure }, counted, reported)
  return {
    goals: goals.map(({ name, aim }) => {
      const key = aimKey(aim)
      const visits = countOf('goal', key)
      const { ofVisits, since } = basisOf(key, key)
      const times = countOf('goal_time', key)
      return { name, ...named(aim), visits, times, ofVisits, conversion: percent(visits, ofVisits), since }
    }),
    funnels: funnels.map((funnel) => {
      const key = funnelKey(funnel)
      const steps = funnel.steps.map((aim, position) => ({
        ...named(aim),
        visits: countOf('funnel', stepKey(key, position + 1)),
      }))
      const [first, last] = [steps.at(0)?.visits ?? 0, steps.at(-1)?.visits ?? 0]
      return { name: funnel.name, steps, ...basisOf(key, stepKey(key, 1)), conversion: percent(last, first) }
    }),
  }
}

function counts({ byName }: Counted): (measure: Measure, name: string) => number {
  const known = new Map(byName.map(({ measure, name, count }) => [`${measure} ${name}`, count]))
  return (measure, name) => known.get(`${measure} ${name}`) ?? 0
}

/**
 * The visits that could have done it: those of the days on which it was counted. A ledger that came from another box is counted
 * from its beginning, however late the folder was applied here.
 */
function basis(
  { key, figure }: { key: string; figure: string },
  { goalsSince, goalsFirstDone }: Counted,
  { from, days, timezone }: Reported,
) {
  const at = goalsSince.find((goal) => goal.key === key)?.since
  const first = goalsFirstDone.find(({ name }) => name === figure)?.day ?? Number.POSITIVE_INFINITY
  const begun = at === undefined ? from : dateOfDay(Math.min(localDay(at, timezone), first))
  const ofVisits = days.reduce((sum, { date, visits }) => (date < begun ? sum : sum + visits), 0)
  // Neither goals nor visits were counted before.
  const counted = days[0]?.date ?? from
  return { ofVisits, since: begun > counted ? begun : null }
}

const named = (aim: Aim): Pick<GoalFigures, 'form' | 'event' | 'page'> => {
  if (aim.kind === 'form') return { form: aim.form }
  return aim.kind === 'event' ? { event: aim.event } : { page: aim.page }
}

/** With one decimal; `null`: of nothing. */
const percent = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((part / whole) * 1000) / 10

import type { Aim, GoalSettings } from '../../../src/account/goal.ts'
import type { Entry } from '../../../src/ledger/entry.ts'

// Goals and funnels by docs/reports.md read word for word: whole visits are laid out first, then looked through.

/** How often, by name; of funnels `NAME 1` and so on. */
export interface ModelledGoals {
  visits: Record<string, number>
  times: Record<string, number>
  steps: Record<string, number>
}

const pauseMs = 30 * 60_000

const isView = (entry: Entry) => entry.kind === 'page_view' || (entry.kind === 'event' && entry.event === '$pageview')

function does(entry: Entry, aim: Aim): boolean {
  if (aim.kind === 'form')
    return entry.kind === 'submission' && entry.status === 'accepted' && entry.formId === aim.form
  if (aim.kind === 'event') return entry.kind === 'event' && entry.event !== '$pageview' && entry.event === aim.event
  const path =
    entry.kind === 'page_view' ? entry.path : isView(entry) && 'properties' in entry ? entry.properties.path : null
  return path === aim.page || path === `${aim.page}/`
}

/** The entries of each visit of one device, in order of receipt. */
export function visitsOf(entries: readonly Entry[]): Entry[][] {
  const visits: Entry[][] = []
  let silentSince: number | null = null
  for (const entry of entries) {
    const goesOn: boolean = silentSince !== null && entry.receivedAt - silentSince < pauseMs
    if (!goesOn && isView(entry)) visits.push([])
    if (goesOn || isView(entry)) {
      visits.at(-1)?.push(entry)
      // A form or a click is seen in a visit, and does not make it last.
      if (entry.kind !== 'submission' && entry.kind !== 'click') silentSince = entry.receivedAt
    }
  }
  return visits
}

/** Whether all steps are found one behind the other, tried in every way. */
const isFoundIn = (steps: readonly Aim[], entries: readonly Entry[]): boolean => {
  const [step, ...rest] = steps
  if (step === undefined) return true
  return entries.some((entry, at) => does(entry, step) && isFoundIn(rest, entries.slice(at + 1)))
}

/** @param entries of one account without bots, in order of receipt */
export function modelledGoals({ goals, funnels }: GoalSettings, entries: readonly Entry[]): ModelledGoals {
  const byDevice = Map.groupBy(entries, ({ deviceId }) => deviceId)
  const visits = [...byDevice.values()].flatMap(visitsOf)
  const counted = (names: [string, number][]) => Object.fromEntries(names.filter(([, count]) => count > 0))
  return {
    visits: counted(
      goals.map(({ name, aim }) => [name, visits.filter((visit) => visit.some((entry) => does(entry, aim))).length]),
    ),
    times: counted(goals.map(({ name, aim }) => [name, entries.filter((entry) => does(entry, aim)).length])),
    steps: counted(
      funnels.flatMap(({ name, steps }) =>
        steps.map((_, at): [string, number] => [
          `${name} ${at + 1}`,
          visits.filter((visit) => isFoundIn(steps.slice(0, at + 1), visit)).length,
        ]),
      ),
    ),
  }
}

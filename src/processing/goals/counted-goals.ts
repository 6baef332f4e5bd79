import { type Aim, aimKey, type Funnel, funnelKey, type GoalSettings, pagePath, stepKey } from '../../account/goal.ts'
import type { LedgerEntry } from '../../ledger/decision.ts'
import type { PageView } from '../../ledger/entry.ts'
import { recordedVersion } from '../attribution/versions.ts'
import { versionTarget } from '../figures/measures.ts'

/** What an account's entries are looked up in, by what they did: keys of goals, and of steps of funnels. */
export type CountedGoals = Readonly<Record<Aim['kind'], ReadonlyMap<string, readonly string[]>>>

const none: readonly string[] = []

/** `null`: the account counts nothing of the kind. */
export function countedGoals({ goals, funnels }: GoalSettings): CountedGoals | null {
  if (goals.length + funnels.length === 0) return null
  const found = {
    form: new Map<string, string[]>(),
    event: new Map<string, string[]>(),
    page: new Map<string, string[]>(),
  }
  const add = (aim: Aim, key: string) => {
    const [map, name] = [found[aim.kind], nameOf(aim)]
    map.set(name, [...(map.get(name) ?? []), key])
  }
  for (const { aim } of goals) add(aim, aimKey(aim))
  for (const funnel of funnels) addSteps(funnel, add)
  return found
}

/** The last step first: an entry that two steps are waiting for is only one of them. */
function addSteps(funnel: Funnel, add: (aim: Aim, key: string) => void): void {
  const key = funnelKey(funnel)
  for (const [position, aim] of [...funnel.steps.entries()].reverse()) add(aim, stepKey(key, position + 1))
}

function nameOf(aim: Aim): string {
  if (aim.kind === 'form') return aim.form
  return aim.kind === 'event' ? aim.event : aim.page
}

/** Which goals, steps of funnels and versions of a page an entry does by itself, whatever came before it. */
export function targetsOf(entry: LedgerEntry, goals: CountedGoals | null): readonly string[] {
  const done = goals === null ? none : goalsDone(entry, goals)
  const version = entry.kind === 'page_view' ? recordedVersion(entry) : null
  return version === null ? done : [...done, versionTarget(version)]
}

/** A view of `/` is one of the home page too. */
function goalsOfView({ path, slug }: PageView, { page }: CountedGoals): readonly string[] {
  const ofPath = page.get(pagePath(path)) ?? none
  const ofPage = path === '/' ? (page.get(`/${slug}`) ?? none) : none
  return ofPage.length === 0 ? ofPath : [...ofPage, ...ofPath]
}

function goalsDone(entry: LedgerEntry, goals: CountedGoals): readonly string[] {
  switch (entry.kind) {
    case 'submission':
      return goals.form.get(entry.formId) ?? none
    case 'page_view':
      return goalsOfView(entry, goals)
    case 'event': {
      if (entry.event !== '$pageview') return goals.event.get(entry.event) ?? none
      const { path } = entry.properties
      return typeof path === 'string' ? (goals.page.get(pagePath(path)) ?? none) : none
    }
    default:
      return none
  }
}

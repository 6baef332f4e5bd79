import type { Happening } from '../month/happening.ts'
import { formIds, goalPage } from '../month/true-site.ts'
import type { Counted } from './account-truth.ts'

/** What of the goals and the funnel of `true-site.ts` was done: once for each visit, and each time. */
export interface TrueGoal extends Counted {
  what: 'page' | 'page times' | 'form' | 'form times' | 'step 1' | 'step 2'
}

const visitPauseMs = 30 * 60 * 1000

interface Visit {
  lastSeenAt: number
  done: Set<TrueGoal['what']>
}

/** Goes through an account's diary with a visit for each device that is there. */
export function trueGoals(happenings: readonly Happening[], date: (at: number) => string): TrueGoal[] {
  const visits = new Map<string, Visit>()
  const goals: TrueGoal[] = []
  const count = (what: TrueGoal['what'], at: number) => goals.push({ what, date: date(at) })
  for (const happening of happenings) {
    const visit = visitOf(happening, visits)
    const once = (what: TrueGoal['what']) => {
      if (visit === null || visit.done.has(what)) return
      visit.done.add(what)
      count(what, happening.at)
    }
    if (happening.kind === 'view' && !happening.isBot && happening.path === `/${goalPage}`) {
      count('page times', happening.at)
      once('page')
      once('step 1')
    }
    if (happening.kind === 'submission' && happening.form === formIds.contact) {
      const { isRefused, releasedAt, at } = happening
      if (!isRefused || releasedAt !== null) count('form times', releasedAt ?? at)
      if (isRefused) continue
      once('form')
      if (visit?.done.has('step 1')) once('step 2')
    }
  }
  return goals
}

/** Views and events keep a visit going, and only views begin one. */
function visitOf(happening: Happening, visits: Map<string, Visit>): Visit | null {
  if (!('device' in happening) || happening.device === null) return null
  const { kind, device, at } = happening
  if ('isBot' in happening && happening.isBot) return null
  const known = visits.get(device)
  const present = known !== undefined && at - known.lastSeenAt < visitPauseMs ? known : null
  if (kind === 'view' || (present !== null && (kind === 'event' || kind === 'identify'))) {
    const visit = present ?? { lastSeenAt: at, done: new Set() }
    visit.lastSeenAt = at
    visits.set(device, visit)
    return visit
  }
  return present
}

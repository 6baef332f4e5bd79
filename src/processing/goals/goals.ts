import { Answers } from '../answers.ts'
import { type DeviceKey, isStored } from '../devices.ts'
import type { EntryKey } from '../ledger-item.ts'

/** A visit of a device, by when it began, epoch milliseconds. */
export interface DeviceVisit {
  device: DeviceKey
  visitAt: number
}

/** An entry that did what goals count; `goal_entry` keeps it. */
export interface GoalEntry {
  key: EntryKey
  accountId: string
  device: DeviceKey | null
  day: number
  targets: readonly string[]
  /** `null`: it was in no visit. */
  visitAt: number | null
  /** Those that it was the first of its visit to do. */
  counted: readonly string[]
}

export interface GoalLoads {
  /** The targets that were counted of each visit. */
  doneInVisit(asked: DeviceVisit): string[]
}

/** What entries of a step did of that which goals and funnels count. */
export class Goals {
  readonly added: GoalEntry[] = []
  private readonly visits: Answers<DeviceVisit, Set<string>>
  private readonly newVisits = new Map<string, Set<string>>()

  constructor(load: GoalLoads) {
    this.visits = new Answers(
      (asked) => new Set(load.doneInVisit(asked)),
      ({ device, visitAt }) => `${device} ${visitAt}`,
    )
  }

  add(entry: GoalEntry): void {
    this.added.push(entry)
  }

  /** Counts each target once a visit, and a step only behind the one before it; answers which are counted now. */
  countOnce(visit: DeviceVisit, targets: readonly string[]): string[] {
    // Storage cannot know what a device did that it has never heard of.
    const done = isStored(visit.device) ? this.visits.of(visit) : this.ofNew(visit)
    return targets.filter((target) => {
      const isFirst = isReached(target, done)
      if (isFirst) done.add(target)
      return isFirst
    })
  }

  private ofNew(visit: DeviceVisit): Set<string> {
    const name = `${visit.device} ${visit.visitAt}`
    const known = this.newVisits.get(name) ?? new Set()
    this.newVisits.set(name, known)
    return known
  }
}

const stepPattern = /^(#[^:]*):(\d+)$/

/** Whether a visit does the target now for the first time; a step of a funnel only once the one before it is done. */
function isReached(target: string, done: ReadonlySet<string>): boolean {
  if (done.has(target)) return false
  const [, funnel, step] = stepPattern.exec(target) ?? []
  return funnel === undefined || step === '1' || done.has(`${funnel}:${Number(step) - 1}`)
}

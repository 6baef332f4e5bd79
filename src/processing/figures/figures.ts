import { Answers } from '../answers.ts'
import { type Device, type DeviceKey, isStored } from '../devices.ts'
import type { Measure } from './measures.ts'

/** One figure of an account's day; `name` is '' for measures without a split. */
export interface Figure {
  day: number
  measure: Measure
  name: string
}

interface FigureAddition extends Figure {
  accountId: string
  /** What is added; 0 creates the row and its name. */
  count: number
}

/** A day's figures of one measure, by name. */
export type FigureSplit = Omit<FigureAddition, 'name' | 'count'>

/** A device viewed something on this day. */
export interface VisitorDay {
  device: DeviceKey
  day: number
}

/** What is known of a device's days with a view, from one of them. */
export interface VisitedDays extends DaysAround {
  /** Whether it viewed something on the day itself. */
  isNoted: boolean
}

/** The days with a view next to one; `null`: there is none. */
export interface DaysAround {
  before: number | null
  after: number | null
}

export interface FigureLoads {
  figureNames(asked: FigureSplit): string[]
  visitedDays(asked: VisitorDay): VisitedDays
}

/** What the step's entries add to the figures of their days. */
export class Figures {
  readonly visitorDays: VisitorDay[] = []
  private readonly sums = new Map<string, FigureAddition>()
  private readonly names: Answers<FigureSplit, Set<string>>
  private readonly newDays = new Map<DeviceKey, number[]>()

  constructor(private readonly load: FigureLoads) {
    this.names = new Answers((asked) => new Set(load.figureNames(asked)), splitName)
  }

  get changes(): Iterable<FigureAddition> {
    return this.sums.values()
  }

  add(accountId: string, { day, measure, name, count }: Figure & { count: number }): void {
    const key = `${accountId} ${day} ${measure} ${name}`
    const known = this.sums.get(key)
    if (known === undefined) this.sums.set(key, { accountId, day, measure, name, count })
    else known.count += count
  }

  /**
   * Whether the account may have one more figure of this name for the measure and day: the name is known, or fewer than
   * `max` names are. Names in `uncounted` do not count towards `max`.
   */
  mayName(
    accountId: string,
    { day, measure, name }: Figure,
    { max, uncounted }: { max: number; uncounted: readonly string[] },
  ): boolean {
    const names = this.names.of({ accountId, day, measure })
    if (names.has(name)) return true
    if (names.size - uncounted.filter((other) => names.has(other)).length >= max) return false
    // Later entries must find the name, in whichever step.
    names.add(name)
    this.add(accountId, { day, measure, name, count: 0 })
    return true
  }

  /** Notes that the device viewed something that day. Returns the days around it; `null`: not the day's first view. */
  noteVisitor({ key: device }: Device, day: number): DaysAround | null {
    const visit = { device, day }
    const days = this.newDays.get(device) ?? []
    if (days.includes(day)) return null
    const stored = isStored(device) ? this.load.visitedDays(visit) : null
    if (stored?.isNoted) return null
    this.newDays.set(device, [...days, day])
    this.visitorDays.push(visit)
    return around(day, [stored?.before ?? null, stored?.after ?? null, ...days])
  }
}

/** The latest of the days before, and the earliest behind. */
function around(day: number, days: readonly (number | null)[]): DaysAround {
  const others = days.filter((other) => other !== null)
  const [before, after] = [others.filter((other) => other < day), others.filter((other) => other > day)]
  return {
    before: before.length === 0 ? null : Math.max(...before),
    after: after.length === 0 ? null : Math.min(...after),
  }
}

const splitName = ({ accountId, day, measure }: FigureSplit) => `${accountId} ${day} ${measure}`

import { Answers } from '../answers.ts'
import { type Device, type DeviceKey, isStored } from '../devices.ts'
import type { NamedDivision } from './channel.ts'
import { type DaysAround, dayNamesMax, type FigureChange, otherNames, ownNames, returnsOfDay } from './measures.ts'

type FigureAddition = FigureChange & { accountId: string }

/** The names of one division that a day has figures for. */
export interface NamesOfDay {
  accountId: string
  day: number
  division: NamedDivision
}

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

export interface FigureLoads {
  /** Of visits and leads alike, so that a name is listed for both or for neither. */
  figureNames(asked: NamesOfDay): string[]
  visitedDays(asked: VisitorDay): VisitedDays
}

/** What the step's entries add to the figures of their days. */
export class Figures {
  readonly visitorDays: VisitorDay[] = []
  private readonly sums = new Map<string, FigureAddition>()
  private readonly names: Answers<NamesOfDay, Set<string>>
  private readonly newDays = new Map<DeviceKey, number[]>()

  constructor(private readonly load: FigureLoads) {
    this.names = new Answers((asked) => new Set(load.figureNames(asked)), keyOf)
  }

  get changes(): Iterable<FigureAddition> {
    return this.sums.values()
  }

  add(accountId: string, { day, measure, name, count }: FigureChange): void {
    const key = `${accountId} ${day} ${measure} ${name}`
    const known = this.sums.get(key)
    if (known === undefined) this.sums.set(key, { accountId, day, measure, name, count })
    else known.count += count
  }

  /**
   * What the name counts under that day: strangers make up names, and beyond so many all count as one. Whoever asks adds a figure
   * of that name, by which later steps know it.
   */
  boundedName(accountId: string, { day, division, name }: Omit<NamesOfDay, 'accountId'> & { name: string }): string {
    if (ownNames.includes(name)) return name
    const names = this.names.of({ accountId, day, division })
    if (names.has(name)) return name
    if (names.size - ownNames.filter((own) => names.has(own)).length >= dayNamesMax) return otherNames
    names.add(name)
    return name
  }

  /** Notes that the device viewed something that day, and how long it had been away; returns whether it is the day's first view. */
  noteVisitor(accountId: string, { key: device }: Device, day: number): boolean {
    const visit = { device, day }
    const days = this.newDays.get(device) ?? []
    if (days.includes(day)) return false
    const stored = isStored(device) ? this.load.visitedDays(visit) : null
    if (stored?.isNoted) return false
    this.newDays.set(device, [...days, day])
    this.visitorDays.push(visit)
    const around = daysAround(day, [stored?.before ?? null, stored?.after ?? null, ...days])
    for (const figure of returnsOfDay(day, around)) this.add(accountId, figure)
    return true
  }
}

/** The latest of the days before, and the earliest behind. */
function daysAround(day: number, days: readonly (number | null)[]): DaysAround {
  const others = days.filter((other) => other !== null)
  const [before, after] = [others.filter((other) => other < day), others.filter((other) => other > day)]
  return {
    before: before.length === 0 ? null : Math.max(...before),
    after: after.length === 0 ? null : Math.min(...after),
  }
}

const keyOf = ({ accountId, day, division }: NamesOfDay) => `${accountId} ${day} ${division}`

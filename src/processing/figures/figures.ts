import { Answers } from '../answers.ts'
import { type Device, type DeviceKey, isStored } from '../devices.ts'
import type { Channel, NamedDivision } from './channel.ts'
import {
  dayNamesMax,
  type FigureChange,
  otherNames,
  ownNames,
  returnsMoved,
  type VisitedDay,
  visitorMoved,
} from './measures.ts'

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
  /** Its latest visit then; `null`: it has not come back since, and the device knows. */
  visit: Visit | null
}

interface Visit {
  at: number | null
  channel: Channel | null
}

/** The days with a view next to one of a device that has come back since. */
export interface DaysAround {
  /** Whether it viewed something on the day itself. */
  isNoted: boolean
  before: VisitedDay | null
  after: number | null
}

export interface FigureLoads {
  /** Of visits and leads alike, so that a name is listed for both or for neither. */
  figureNames(asked: NamesOfDay): string[]
  daysAround(asked: Pick<VisitorDay, 'device' | 'day'>): DaysAround
}

/** What the step's entries add to the figures of their days. */
export class Figures {
  readonly visitorDays: VisitorDay[] = []
  private readonly sums = new Map<string, FigureAddition>()
  private readonly names: Answers<NamesOfDay, Set<string>>

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

  /**
   * Notes that the device viewed something that day; returns whether it is the day's first view.
   *
   * @param before the device without that view
   */
  noteVisitor(accountId: string, device: Device, { day, before }: { day: number; before: Seen }): boolean {
    const { key, visitAt, channel } = device
    const known = before.viewDay === null ? [] : [{ day: before.viewDay, channel: before.channel }]
    device.viewDay = Math.max(before.viewDay ?? day, day)
    const latest = { day: device.viewDay, channel }
    const isLaterDay = latest.day !== before.viewDay
    if (isLaterDay) {
      for (const left of known) this.visitorDays.push(dayOf(key, left, before.visitAt))
      this.visitorDays.push({ device: key, day, visit: null })
    }
    if (isLaterDay || visitAt !== before.visitAt)
      this.addAll(accountId, visitorMoved(known, isLaterDay ? [...known, latest] : [latest]))
    return isLaterDay || (day < latest.day && this.noteEarlierDay(accountId, device, day))
  }

  /** Records may come a moment out of order; such a view is one of the present visit. */
  private noteEarlierDay(accountId: string, { key, visitAt, channel }: Device, day: number): boolean {
    const around = isStored(key) ? this.load.daysAround({ device: key, day }) : null
    const noted = this.visitorDays.filter(({ device }) => device === key)
    if (around?.isNoted || noted.some((other) => other.day === day)) return false
    const channels = new Map(noted.map(({ day, visit }) => [day, visit?.channel ?? null]))
    const days = [...channels.keys(), around?.before?.day, around?.after].filter((other) => other != null)
    const [before, after] = [
      Math.max(...days.filter((other) => other < day)),
      Math.min(...days.filter((other) => other > day)),
    ]
    const left = channels.has(before) ? { day: before, channel: channels.get(before) ?? null } : around?.before
    const visited = { day, channel }
    const [first, last] = [left ? [left] : [], { day: after, channel: null }]
    this.addAll(accountId, returnsMoved([...first, last], [...first, visited, last]))
    this.visitorDays.push(dayOf(key, visited, visitAt))
    return true
  }

  private addAll(accountId: string, figures: Iterable<FigureChange>): void {
    for (const figure of figures) this.add(accountId, figure)
  }
}

type Seen = Pick<Device, 'viewDay' | 'visitAt' | 'channel'>

const dayOf = (device: DeviceKey, { day, channel }: VisitedDay, visitAt: number | null): VisitorDay => ({
  device,
  day,
  visit: { at: visitAt, channel },
})

const keyOf = ({ accountId, day, division }: NamesOfDay) => `${accountId} ${day} ${division}`

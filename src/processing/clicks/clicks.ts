import type { Click, ClickVerdict } from '../../ledger/entry.ts'
import { Answers } from '../answers.ts'
import { type DeviceKey, isStored } from '../devices.ts'
import type { EntryKey, UnderWay } from '../entry-key.ts'
import { burstGroup } from './burst-group.ts'

/** A click with its present verdict. */
export interface ClickFact {
  device: DeviceKey
  /** Epoch milliseconds. */
  receivedAt: number
  /** The day it counts for. */
  day: number
  /** '' when the link names none. */
  message: string
  /** Opaque id of the person whom the link was signed for. */
  recipient: string | null
  url: string
  /** Clicks of one group within seconds make a burst; see `burstGroup`. */
  burstGroup: string
  /** Hash of the user agent. */
  agent: string
  verdict: ClickVerdict
  reasons: string[]
  /** When the device's first sign of life after the click came, epoch milliseconds. */
  lifeAt: number | null
}

/** A click whose verdict may change. Within a step, the same click is always the same object. */
export interface StoredClick extends ClickFact {
  key: EntryKey
}

/**
 * The group's clicks within so many milliseconds before and after `at`; the nearest ones, at most `limit` on either
 * side.
 */
export interface ClicksAroundQuery {
  accountId: string
  group: string
  at: number
  withinMs: number
  limit: number
}

/** The device's latest clicks without a later sign of life, received at `since` or after. */
export interface AwaitingLifeQuery {
  device: DeviceKey
  since: number
  limit: number
}

export interface CapturedClickQuery {
  accountId: string
  key: EntryKey
}

export interface ClickLoads {
  clicksAround(asked: ClicksAroundQuery[]): StoredClick[][]
  clicksAwaitingLife(asked: AwaitingLifeQuery[]): StoredClick[][]
  /** `null`: it is gone or unreadable. */
  capturedClick(asked: CapturedClickQuery[]): (Click | null)[]
}

/** The step's clicks, and the stored ones that the step asks for. */
export class Clicks {
  readonly added: { accountId: string; click: StoredClick }[] = []
  /** Stored clicks whose verdict or sign of life changed. */
  readonly changed = new Set<StoredClick>()
  private readonly known = new Map<EntryKey, StoredClick>()
  private readonly addedByGroup = new Map<string, StoredClick[]>()
  private readonly records = new Map<EntryKey, Click>()
  private readonly groups = new WeakMap<Click, string>()
  private readonly arounds: Answers<ClicksAroundQuery, StoredClick[]>
  private readonly awaiting: Answers<AwaitingLifeQuery, StoredClick[]>
  private readonly captures: Answers<CapturedClickQuery, Click | null>

  constructor(
    load: ClickLoads,
    private readonly underWay: UnderWay,
  ) {
    const once = (found: StoredClick[][]) => found.map((clicks) => clicks.map((click) => this.once(click)))
    this.arounds = new Answers(
      (asked) => once(load.clicksAround(asked)),
      ({ accountId, group, at }) => `${accountId} ${group} ${at}`,
    )
    this.awaiting = new Answers(
      (asked) => once(load.clicksAwaitingLife(asked)),
      ({ device, since, limit }) => `${device} ${since} ${limit}`,
    )
    this.captures = new Answers(
      (asked) => load.capturedClick(asked),
      ({ key }) => String(key),
    )
  }

  /** Clicks that await a sign of life are judged again, so their records are loaded as well. */
  foresee(asked: { around: ClicksAroundQuery[]; awaitingLife: (AwaitingLifeQuery & { accountId: string })[] }): void {
    this.arounds.foresee(asked.around)
    this.awaiting.foresee(asked.awaitingLife)
    this.captures.foresee(
      asked.awaitingLife.flatMap((query) => this.awaiting.of(query).map(({ key }) => ({ ...query, key }))),
    )
  }

  /** See burst-group.ts; computed once for each click. */
  groupOf(click: Click): string {
    const group = this.groups.get(click) ?? burstGroup(click)
    this.groups.set(click, group)
    return group
  }

  /** Stored clicks, to be judged by what is known of the others. */
  meet(clicks: StoredClick[]): StoredClick[] {
    return clicks.map((click) => this.once(click))
  }

  /** Keeps the click under way. */
  add(record: Click, fact: ClickFact): void {
    const click: StoredClick = { ...fact, key: this.underWay.key }
    const { accountId } = record
    this.added.push({ accountId, click })
    this.records.set(click.key, record)
    const group = accountId + fact.burstGroup
    const others = this.addedByGroup.get(group)
    if (others === undefined) this.addedByGroup.set(group, [click])
    else others.push(click)
  }

  /** Keeps verdict, reasons and sign of life of a click. */
  save(click: StoredClick, change: Partial<Pick<ClickFact, 'verdict' | 'reasons' | 'lifeAt'>>): void {
    Object.assign(click, change)
    if (this.known.has(click.key)) this.changed.add(click)
  }

  around(query: ClicksAroundQuery): StoredClick[] {
    const { accountId, group, at, withinMs, limit } = query
    const added = this.addedByGroup.get(accountId + group) ?? []
    const near = added.filter(({ receivedAt }) => Math.abs(receivedAt - at) <= withinMs)
    const stored = this.arounds.of(query)
    if (near.length === 0) return stored
    const inOrder = [...stored, ...near].sort(byReceipt)
    const behind = inOrder.findIndex(({ receivedAt }) => receivedAt > at)
    const middle = behind === -1 ? inOrder.length : behind
    return inOrder.slice(Math.max(0, middle - limit), middle + limit)
  }

  awaitingLife(query: AwaitingLifeQuery): StoredClick[] {
    const { device, since, limit } = query
    const stored = isStored(device) ? this.storedAwaitingLife(query) : []
    const added = this.added.map(({ click }) => click).filter((click) => click.device === device)
    return [...stored, ...added]
      .filter(({ lifeAt, receivedAt }) => lifeAt === null && receivedAt >= since)
      .sort((one, other) => byReceipt(other, one))
      .slice(0, limit)
  }

  /** The click as it was captured; `null`: it is gone or unreadable. */
  captured(query: CapturedClickQuery): Click | null {
    return this.records.get(query.key) ?? this.captures.of(query)
  }

  /** Storage does not know yet which clicks have seen a sign of life in this step. */
  private storedAwaitingLife(query: AwaitingLifeQuery): StoredClick[] {
    const found = this.awaiting.of(query)
    const isCut = found.length === query.limit && found.some(({ lifeAt }) => lifeAt !== null)
    return isCut ? this.awaiting.of({ ...query, limit: query.limit + this.changed.size }) : found
  }

  private once(click: StoredClick): StoredClick {
    const known = this.known.get(click.key) ?? click
    this.known.set(click.key, known)
    return known
  }
}

const byReceipt = (one: StoredClick, other: StoredClick): number =>
  one.receivedAt - other.receivedAt || one.key - other.key

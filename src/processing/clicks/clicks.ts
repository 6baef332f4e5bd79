import type { Click } from '../../ledger/entry.ts'
import { Answers } from '../answers.ts'
import { type DeviceKey, isStored } from '../devices.ts'
import type { EntryKey, UnderWay } from '../entry-key.ts'
import { burstGroup } from './burst-group.ts'
import { BurstGroups, type ClicksAroundQuery, type GroupStretch } from './burst-groups.ts'
import type { ClickFact, StoredClick } from './click-fact.ts'

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
  clicksAround(asked: GroupStretch[]): StoredClick[][]
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
  private readonly records = new Map<EntryKey, Click>()
  private readonly groups = new WeakMap<Click, string>()
  private readonly burstGroups: BurstGroups
  private readonly awaiting: Answers<AwaitingLifeQuery, StoredClick[]>
  private readonly captures: Answers<CapturedClickQuery, Click | null>

  constructor(
    load: ClickLoads,
    private readonly underWay: UnderWay,
  ) {
    const once = (found: StoredClick[][]) => found.map((clicks) => clicks.map((click) => this.once(click)))
    this.burstGroups = new BurstGroups((asked) => once(load.clicksAround(asked)))
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
    this.burstGroups.foresee(asked.around)
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
    this.burstGroups.add(accountId, click)
  }

  /** Keeps verdict, reasons and sign of life of a click. */
  save(click: StoredClick, change: Partial<Pick<ClickFact, 'verdict' | 'reasons' | 'lifeAt'>>): void {
    Object.assign(click, change)
    if (this.known.has(click.key)) this.changed.add(click)
  }

  around(query: ClicksAroundQuery): StoredClick[] {
    return this.burstGroups.around(query)
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

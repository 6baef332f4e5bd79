import type { Click, ClickVerdict } from '../../ledger/entry.ts'
import { partitionPoint } from '../../lib/partition-point.ts'
import { Answers } from '../answers.ts'
import { type DeviceKey, isStored } from '../devices.ts'
import type { EntryKey, UnderWay } from '../ledger-item.ts'

/** A click with its present verdict. */
export interface ClickFact {
  device: DeviceKey
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

/** The group's clicks within so many milliseconds of `at`; the nearest ones, at most `limit` up to it and `limit` behind it. */
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
  /** In any order. Those behind `at` may be later than `withinMs`. */
  clicksAround(asked: ClicksAroundQuery): StoredClick[]
  clicksAwaitingLife(asked: AwaitingLifeQuery): StoredClick[]
  /** `null`: it is gone or unreadable. */
  capturedClick(asked: CapturedClickQuery): Click | null
}

/** A burst group's clicks in order: the step's, and all stored ones from an instant on, with those next to it. */
interface Group {
  clicks: StoredClick[]
  storedSince: number
}

/** The step's clicks, and the stored ones that the step asks for. */
export class Clicks {
  readonly added: { accountId: string; click: StoredClick }[] = []
  /** Stored clicks whose verdict or sign of life changed. */
  readonly changed = new Set<StoredClick>()
  private readonly known = new Map<EntryKey, StoredClick>()
  private readonly records = new Map<EntryKey, Click>()
  private readonly groups = new Map<string, Group>()
  private readonly captures: Answers<CapturedClickQuery, Click | null>

  constructor(
    private readonly load: ClickLoads,
    private readonly underWay: UnderWay,
  ) {
    this.captures = new Answers(
      (asked) => load.capturedClick(asked),
      ({ key }) => String(key),
    )
  }

  /** Stored clicks, to be judged by what is known of the others. */
  meet(clicks: StoredClick[]): StoredClick[] {
    return clicks.map((click) => {
      const known = this.known.get(click.key) ?? click
      this.known.set(click.key, known)
      return known
    })
  }

  add(record: Click, fact: ClickFact): void {
    const click: StoredClick = { ...fact, key: this.underWay.key }
    const { accountId } = record
    this.added.push({ accountId, click })
    this.records.set(click.key, record)
    insert(this.groupOf(accountId, click.burstGroup), click)
  }

  /** Keeps verdict, reasons and sign of life of a click. */
  save(click: StoredClick, change: Partial<Pick<ClickFact, 'verdict' | 'reasons' | 'lifeAt'>>): void {
    Object.assign(click, change)
    if (this.known.has(click.key)) this.changed.add(click)
  }

  /** In order. A scanner's clicks come in one group, so storage is asked for a group once, not for each of them. */
  around(query: ClicksAroundQuery): StoredClick[] {
    const group = this.groupOf(query.accountId, query.group)
    if (query.at < group.storedSince) this.loadAround(group, query)
    return nearest(group.clicks, query)
  }

  private loadAround(group: Group, query: ClicksAroundQuery): void {
    const found = this.meet(this.load.clicksAround(query))
    for (const click of found) insert(group, click)
    const isWhole = found.filter(({ receivedAt }) => receivedAt > query.at).length < query.limit
    if (isWhole) group.storedSince = query.at
  }

  private groupOf(accountId: string, name: string): Group {
    const known = this.groups.get(accountId + name)
    if (known !== undefined) return known
    const group = { clicks: [], storedSince: Number.POSITIVE_INFINITY }
    this.groups.set(accountId + name, group)
    return group
  }

  awaitingLife({ device, since, limit }: AwaitingLifeQuery): StoredClick[] {
    // Storage does not know yet which clicks have seen a sign of life in this step.
    const query = { device, since, limit: limit + this.changed.size }
    const stored = isStored(device) ? this.meet(this.load.clicksAwaitingLife(query)) : []
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
}

/** Once, in order. */
function insert({ clicks }: Group, click: StoredClick): void {
  const place = partitionPoint(clicks, (other) => byReceipt(other, click) < 0)
  if (clicks[place]?.key !== click.key) clicks.splice(place, 0, click)
}

function nearest(inOrder: readonly StoredClick[], { at, withinMs, limit }: ClicksAroundQuery): StoredClick[] {
  const behind = partitionPoint(inOrder, ({ receivedAt }) => receivedAt <= at)
  return inOrder
    .slice(Math.max(0, behind - limit), behind + limit)
    .filter(({ receivedAt }) => Math.abs(receivedAt - at) <= withinMs)
}

const byReceipt = (one: StoredClick, other: StoredClick): number =>
  one.receivedAt - other.receivedAt || one.key - other.key

/** 128 bits: collisions are not to be expected. */
const groupCharacters = 22
/** Compared within a group only. */
const agentCharacters = 8

/**
 * The group of clicks in which a burst is looked for: clicks on one message by the link's recipient. For links without
 * a recipient, clicks from one address with one user agent, or of one device if the account keeps no addresses.
 *
 * A scanner seldom keeps cookies, so each of its clicks comes from another device.
 */
export function burstGroup({ message, recipient, deviceId, source, evidence }: Click): string {
  const { ip } = source
  const agent = evidence.headers['user-agent'] ?? ''
  const who = recipient !== null ? ['to', recipient] : ip !== null ? ['from', ip, agent] : ['by', deviceId]
  return hash(JSON.stringify([message, ...who]), groupCharacters)
}

export const agentHash = ({ evidence }: Click): string => hash(evidence.headers['user-agent'] ?? '', agentCharacters)

/**
 * Whether two clicks of a group certainly come from one visitor: one device, or one user agent using one recipient's
 * links. One address with one user agent may be a whole office.
 */
export const isSameVisitor = (one: Visited, other: Visited): boolean =>
  one.device === other.device || (one.recipient !== null && one.agent === other.agent)

interface Visited {
  device: DeviceKey
  recipient: string | null
  agent: string
}

const hash = (text: string, characters: number): string => Bun.SHA256.hash(text, 'base64url').slice(0, characters)

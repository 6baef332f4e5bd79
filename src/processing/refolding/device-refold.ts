import type { ReleaseEntry } from '../../ledger/decision.ts'
import type { Entry } from '../../ledger/entry.ts'
import { Verdicts } from '../../verdict/verdicts.ts'
import { isDirect, type Touch } from '../attribution/touch.ts'
import { directTouch, isView } from '../attribution/touch-of.ts'
import { type RecordedTouch, Touches } from '../attribution/touches.ts'
import { versionsFollowed } from '../attribution/versions.ts'
import type { Device } from '../devices.ts'
import type { Channel } from '../figures/channel.ts'
import { type FigureChange, figuresRecounted, isCountedAs, wasBot } from '../figures/measures.ts'
import { visitPauseMs } from '../figures/note-hit.ts'
import { Fold } from '../fold.ts'
import type { GoalEntry } from '../goals/goals.ts'
import type { EntryKey, ProcessedAccount, Receipt } from '../ledger-item.ts'
import type { ProcessingState, Rules } from '../processing-state.ts'
import type { SubmissionOrigin } from '../submissions/submissions.ts'
import { type DeviceBase, deviceOf, hasExpired, outlivesRecord } from './device-base.ts'
import { DeviceMemory } from './device-memory.ts'

/** A device's entry and what processing has derived from it so far. */
export interface RememberedEntry {
  key: EntryKey
  receipt: Receipt
  account: ProcessedAccount
  /** `null`: unreadable. What it counted, and its touch, stay. */
  entry: Entry | null
  /** The day it was counted for, and what it added to that day (figures/measures.ts). */
  day: number
  counted: number
  /** Of the visit that it began, as counted. */
  channel: Channel | null
  /** The touch kept from it. */
  touch: Touch | null
  /** For submissions only. */
  origin: SubmissionOrigin | null
  isReleased: boolean
  /** When the first sign of life after a click came, epoch milliseconds; `undefined`: not a click. */
  lifeAt: number | null | undefined
  /** What it did of that which goals count; `null`: nothing. */
  goals: RememberedGoals | null
}

/** See `GoalEntry`. */
type RememberedGoals = Pick<GoalEntry, 'targets' | 'visitAt' | 'counted'>

/** The release of one of the device's submissions. */
export interface RememberedRelease {
  key: EntryKey
  account: ProcessedAccount
  release: ReleaseEntry
}

/** How the stored state of a device's entries differs from what the remaining entries alone would give. */
export type DeviceChange =
  /** An entry adds something else to the figures. */
  | {
      kind: 'count'
      key: EntryKey
      receivedAt: number
      before: number
      counted: number
      figures: Omit<FigureChange, 'day'>[]
      /** What began the visit that it began before, and the one that it begins now; not yet as its day counts it. */
      channels: { before: Channel | null; now: Channel | null }
    }
  /** A touch is kept now, or no longer. */
  | { kind: 'told'; recorded: RecordedTouch }
  | { kind: 'untold'; receipt: Receipt }
  /** A submission came from elsewhere. */
  | { kind: 'origin'; key: EntryKey; origin: SubmissionOrigin }
  /** The sign of life after a click changed. */
  | { kind: 'life'; key: EntryKey; lifeAt: number | null }
  /** What goals count was done in another visit, or was the first of it. */
  | { kind: 'goals'; key: EntryKey; visitAt: number | null; before: readonly string[]; counted: readonly string[] }

/**
 * Folds a device's remaining entries again by the same rules, starting from the base that retention left: the result is
 * as if the erased entries had never been there. Entries come in the order in which they were processed, some at a
 * time.
 */
export class DeviceRefold {
  /** Days with at least one remaining entry. */
  readonly recordedDays = new Set<number>()
  private readonly memory: DeviceMemory
  private readonly rules: RecalledRules
  /** Changes that no later entry can affect. */
  private readonly settled: DeviceChange[] = []
  private readonly submissions: (Pick<RememberedEntry, 'key' | 'receipt'> & { origin: SubmissionOrigin })[] = []
  private readonly clicks: { key: EntryKey; lifeAt: number | null }[] = []

  constructor(readonly base: DeviceBase) {
    this.memory = new DeviceMemory(deviceOf(base))
    this.rules = new RecalledRules(base)
  }

  add(part: readonly (RememberedEntry | RememberedRelease)[]): void {
    const fold = new Fold(this.memory, this.rules)
    for (const remembered of part) {
      const { key, account } = remembered
      if (isEntry(remembered)) this.addEntry(remembered, fold)
      else fold.add({ key, account, entry: remembered.release })
    }
    fold.keep()
    const entries = part.filter(isEntry)
    this.compare(entries, fold.state)
    for (const remembered of entries) this.remember(remembered)
  }

  private addEntry(remembered: RememberedEntry, fold: Fold): void {
    const { key, entry, account, touch, receipt, isReleased } = remembered
    this.rules.recall(remembered)
    this.recordedDays.add(remembered.day)
    if (isReleased) this.memory.released.add(receipt.id)
    if (entry !== null) fold.add({ key, entry, account })
    else if (touch !== null) fold.state.touches.add(this.base.key, touch, receipt)
  }

  get device(): Device {
    return this.memory.device
  }

  /** Days on which the device viewed something, from the latest expired one on, with its latest visit then. */
  get viewDays(): DeviceMemory['viewDays'] {
    return this.memory.viewDays
  }

  /** All changes so far; `null` for each entry without one, so that callers can pause. */
  *changes(): Generator<DeviceChange | null> {
    const { memory, base } = this
    yield* this.settled
    for (const { key, receipt, origin: before } of this.submissions) {
      const folded = memory.origins.get(key) ?? { ...this.originAt(receipt), versions: before.versions }
      const origin = withExpired(folded, before, base)
      yield JSON.stringify(origin) === JSON.stringify(before) ? null : { kind: 'origin', key, origin }
    }
    for (const { key, lifeAt: before } of this.clicks) {
      const lifeAt = hasExpired(base, before) || !memory.lives.has(key) ? before : (memory.lives.get(key) ?? null)
      yield lifeAt === before ? null : { kind: 'life', key, lifeAt }
    }
  }

  private compare(part: readonly RememberedEntry[], { devices, touches, goals }: ProcessingState): void {
    const before = new Map(part.map((remembered) => [remembered.key, remembered]))
    for (const { key, visitAt, counted } of goals.added) {
      const was = before.get(key)?.goals ?? null
      // What came before in a visit that has begun to expire is not known any more.
      if (was === null || (visitAt !== null && visitAt === this.base.visitAt)) continue
      if (was.visitAt !== visitAt || !Bun.deepEquals(was.counted, counted))
        this.settled.push({ kind: 'goals', key, visitAt, before: was.counted, counted })
    }
    for (const { key, entry, counted, channel } of devices.entries) {
      const was = before.get(key) ?? { counted, channel }
      const { receivedAt } = entry
      const channels = { before: was.channel, now: channel && this.channelOf(receivedAt, was.channel, channel) }
      if (entry.kind === 'submission' || (counted === was.counted && channels.now === was.channel)) continue
      const figures = figuresRecounted(was.counted, counted, entry)
      this.settled.push({ kind: 'count', key, receivedAt, before: was.counted, counted, figures, channels })
    }
    const recorded = new Map(touches.added.map((touch) => [touch.receipt.id, touch]))
    for (const { receipt, touch } of part) {
      const now = recorded.get(receipt.id)
      if (now === undefined && touch !== null) this.settled.push({ kind: 'untold', receipt })
      if (now !== undefined && touch === null) this.settled.push({ kind: 'told', recorded: now })
    }
  }

  /** As it was counted, unless the click that led to the visit is erased. Where records before it have expired, they may have told it. */
  private channelOf(at: number, counted: Channel | null, folded: Channel): Channel {
    const { expiredAt } = this.base
    const mayBeTold = expiredAt !== null && at - expiredAt < visitPauseMs
    return counted !== null && (mayBeTold || isCountedAs(counted, folded)) ? counted : folded
  }

  private remember({ key, receipt, origin, lifeAt }: RememberedEntry): void {
    if (origin !== null) this.submissions.push({ key, receipt, origin })
    if (lifeAt !== undefined) this.clicks.push({ key, lifeAt })
  }

  /** The origin of an unreadable submission, but for versions of pages: its record may have named one. */
  private originAt(receipt: Receipt): Omit<SubmissionOrigin, 'versions'> {
    const { load } = this.memory
    const touches = new Touches(load).upTo(this.base.key, receipt)
    return { ...touches, page: load.pageServed({ device: this.base.key, at: receipt.at }) }
  }
}

const isEntry = (remembered: RememberedEntry | RememberedRelease): remembered is RememberedEntry =>
  !('release' in remembered)

/** Only the submission still knows what another's expired record said, and no remaining record preceded that. */
function withExpired(folded: SubmissionOrigin, before: SubmissionOrigin, base: DeviceBase): SubmissionOrigin {
  const isKept = (touch: Touch | null) => touch !== null && outlivesRecord(base, Date.parse(touch.at))
  const first = isKept(before.first) ? before.first : folded.first
  const isRecorded = folded.last !== null && !isDirect(folded.last)
  return {
    first,
    last: isKept(before.last) ? before.last : isRecorded ? folded.last : first,
    page: outlivesRecord(base, before.page?.at ?? null) ? before.page : folded.page,
    versions: versionsFollowed(
      before.versions.filter(({ at }) => outlivesRecord(base, at)),
      folded.versions,
    ),
  }
}

type Remembered = Pick<RememberedEntry, 'day' | 'counted' | 'touch' | 'goals'>

/**
 * What the entry alone said when it was first folded. Lists of programs, domains and time zones may have changed since,
 * and erasing somebody must not re-read the entries of others.
 */
class RecalledRules implements Rules {
  readonly days = { of: () => this.remembered.day }
  readonly verdicts: Verdicts
  private remembered: Remembered = { day: 0, counted: 0, touch: null, goals: null }

  constructor(private readonly base: Pick<DeviceBase, 'expiredAt'>) {
    this.verdicts = new RecalledVerdicts(() => this.remembered.counted)
  }

  readonly targetsOf: Rules['targetsOf'] = () => this.remembered.goals?.targets ?? []

  recall(remembered: Remembered): void {
    this.remembered = remembered
  }

  /**
   * A view without a touch was direct and not the first. An expired record may have preceded it: then it still says
   * nothing.
   */
  readonly touchOf: Rules['touchOf'] = (hit): Touch | null => {
    const { touch } = this.remembered
    if (touch !== null || !isView(hit)) return touch
    return hasExpired(this.base, this.base.expiredAt) ? null : directTouch(hit)
  }
}

class RecalledVerdicts extends Verdicts {
  constructor(private readonly counted: () => number) {
    super()
  }

  /** An `$identify` event counts nowhere, so its bits do not say whether a program sent it. */
  override isBot(entry: Pick<Entry, 'kind' | 'source'>): boolean {
    return wasBot(this.counted()) ?? super.isBot(entry)
  }
}

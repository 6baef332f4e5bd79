import { retentionByDefault } from '../../../src/account/account.ts'
import type { ClockReading } from '../../../src/processing/forgetting/clock-watch.ts'
import type {
  AccountRetentionState,
  Expired,
  ExpiredQuery,
  RetainedAccount,
  RetentionStore,
} from '../../../src/processing/forgetting/retention-store.ts'
import type { RetentionClass, RetentionWait } from '../../../src/processing/retention.ts'

const dayMs = 86_400_000

interface Stored {
  class: RetentionClass
  receivedAt: number
}

/** Retention's storage in memory: accounts with records of each class, all processed unless said otherwise. */
export class ARetentionStore implements RetentionStore {
  readonly records = new Map<RetainedAccount, Map<number, Stored>>()
  readonly states = new Map<RetainedAccount, AccountRetentionState & { wait: RetentionWait | null }>()
  clock: ClockReading | null = null
  trace: number | null = null
  waitingAt: number | null = null
  /** How often each account was searched by age. */
  readonly searched: RetainedAccount[] = []
  private sequence = 0

  constructor(private readonly days: number = 10) {}

  add(account: number, ...records: Stored[]): void {
    const stored = this.records.get(account as RetainedAccount) ?? new Map<number, Stored>()
    for (const record of records) stored.set(++this.sequence, record)
    this.records.set(account as RetainedAccount, stored)
  }

  allow(account: number): void {
    const state = this.states.get(account as RetainedAccount)
    if (state !== undefined) state.isAllowed = true
  }

  count(account: number): number {
    return this.of(account as RetainedAccount).length
  }

  readClock = (at: number): ClockReading => ({ at, bootId: null, uptimeMs: null })
  seenClock = () => this.clock
  latestTrace = () => this.trace
  exclusively = <Result>(work: () => Result): Result => work()
  accounts = () => [...this.records.keys()]
  processedTo = () => this.sequence
  oldestWaitingAt = () => this.waitingAt
  forgetReplies = () => {}
  readable = <Result>(read: () => Result): Result | null => read()
  state = (account: RetainedAccount) => this.states.get(account) ?? null
  isAnyAllowed = () => [...this.states.values()].some(({ isAllowed }) => isAllowed)

  saveClock(reading: ClockReading): void {
    this.clock = reading
  }

  forgetPasses(): void {
    for (const state of this.states.values()) state.pass = null
  }

  account(key: RetainedAccount) {
    const { days } = this
    const terms = { ...retentionByDefault, submissionsDays: days, eventsDays: days, refusedDays: days }
    return { handle: `account-${key}`, terms }
  }

  accountsRefusing(behind: number): RetainedAccount[] {
    return this.accounts().filter((account) =>
      this.of(account).some((record) => record.sequence > behind && record.class === 'refused'),
    )
  }

  *expired({ account, cutoffs }: ExpiredQuery): Generator<Expired[]> {
    this.searched.push(account)
    for (const record of this.of(account)) {
      const cutoff = cutoffs[record.class]
      yield cutoff !== null && record.receivedAt < cutoff ? [record] : []
    }
  }

  *refusedBeyond(account: RetainedAccount, keptMax: number): Generator<Expired[]> {
    const refused = this.of(account).filter((record) => record.class === 'refused')
    yield refused.slice(0, Math.max(0, refused.length - keptMax))
  }

  *kept({ account, cutoffs, class: name }: Parameters<RetentionStore['kept']>[0]): Generator<number> {
    yield this.of(account).filter((record) => record.class === name && record.receivedAt >= (cutoffs[name] ?? -dayMs))
      .length
  }

  remove(expired: readonly Expired[], isOver: () => boolean): number {
    let done = 0
    for (const { sequence } of expired) {
      if (done > 0 && isOver()) break
      for (const stored of this.records.values()) stored.delete(sequence)
      done++
    }
    return done
  }

  passed(account: RetainedAccount, pass: AccountRetentionState['pass']): void {
    this.states.set(account, { pass, isAllowed: false, wait: null })
  }

  waits(account: RetainedAccount, wait: RetentionWait): void {
    this.states.set(account, { pass: null, isAllowed: false, ...this.states.get(account), wait })
  }

  private of(account: RetainedAccount): (Stored & { sequence: number })[] {
    return Array.from(this.records.get(account) ?? [], ([sequence, record]) => ({ sequence, ...record }))
  }
}

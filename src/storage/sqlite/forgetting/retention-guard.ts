import type { RetentionSettings } from '../../../account/account.ts'
import type { Clock } from '../../../lib/clock.ts'
import {
  allOf,
  noRecords,
  type RetentionCounts,
  type RetentionPass,
  unexpectedCutoffs,
} from '../../../processing/retention.ts'
import type { RetentionNotice, RetentionWait } from '../../../processing/retention-notice.ts'
import type { Connection } from '../database/connection.ts'
import { ClockWatch } from './clock-watch.ts'
import type { Expired, LookedThrough } from './expired-records.ts'
import { mostOfAccount } from './most-of-account.ts'
import { RetentionStates } from './retention-states.ts'

interface GuardedAccount {
  accountRow: number
  terms: RetentionSettings
  /** The instant by which the pass deletes, and the clock's time, epoch milliseconds. */
  at: number
  now: number
}

/** Decides whether retention may delete, and reports to operators. */
export interface RetentionGuard {
  /** The instant by which a sweep deletes, epoch milliseconds; `null`: the clock is implausible. */
  begin(): number | null
  /** Whether something that waited may continue before the next sweep. */
  mayGoOn(): boolean
  /** Whether the account's pass may delete, determined in steps. */
  admits(account: GuardedAccount, lookedThrough: LookedThrough): Generator<Expired[], boolean>
  /** The account's pass has ended. */
  passed(accountRow: number, pass: RetentionPass): void
  deleted(counts: RetentionCounts): void
}

/** What a service has already reported: each thing once, even on a new connection. */
interface GuardMemory {
  isClockDoubted: boolean
  /** Accounts that wait. */
  waiting: Set<number>
}

export const guardMemory = (): GuardMemory => ({ isClockDoubted: false, waiting: new Set() })

interface GuardParts {
  connection: Connection
  clock: Clock
  memory: GuardMemory
  onNotice: (notice: RetentionNotice) => void
}

/**
 * A clock that has jumped makes years of records due at once, and nothing brings them back. So nothing is deleted by an
 * implausible clock; and by a plausible one, not most of an account's records of a class unless time and terms explain
 * it or the operator allows it.
 */
export class OperatorsGuard implements RetentionGuard {
  private readonly watch: ClockWatch
  private readonly states: RetentionStates

  constructor(private readonly parts: GuardParts) {
    this.watch = new ClockWatch(parts.connection)
    this.states = new RetentionStates(parts.connection)
  }

  begin(): number | null {
    const { clock, memory, onNotice } = this.parts
    const now = clock.now()
    const { isBelieved, expectedAt, isExact } = this.watch.keep(now)
    if (isBelieved === memory.isClockDoubted) {
      onNotice(isBelieved ? { clockBelieved: now } : { clockDoubted: { now, expectedAt, isExact } })
    }
    memory.isClockDoubted = !isBelieved
    return isBelieved ? now : null
  }

  mayGoOn(): boolean {
    const { clock, memory } = this.parts
    if (memory.isClockDoubted) return this.watch.look(clock.now()).isBelieved
    return memory.waiting.size > 0 && this.states.isAnyAllowed()
  }

  *admits({ accountRow, terms, at, now }: GuardedAccount, lookedThrough: LookedThrough): Generator<Expired[], boolean> {
    const state = this.states.of(accountRow)
    if (state?.isAllowed) return true
    const { passedAt = null, passedTerms = null } = state ?? {}
    const last = passedAt === null || passedTerms === null ? null : { at: passedAt, terms: passedTerms }
    const cutoffs = unexpectedCutoffs(terms, at, last)
    const wait = yield* mostOfAccount(this.parts.connection, { accountRow, now, cutoffs, lookedThrough })
    if (wait !== null) this.hold(accountRow, wait)
    return wait === null
  }

  passed(accountRow: number, pass: RetentionPass): void {
    this.states.passed(accountRow, pass)
    this.parts.memory.waiting.delete(accountRow)
  }

  deleted(counts: RetentionCounts): void {
    if (allOf(counts) > 0) this.parts.onNotice({ deleted: { ...noRecords(), ...counts } })
  }

  private hold(accountRow: number, wait: RetentionWait): void {
    const { clock, memory, onNotice } = this.parts
    this.states.waits(accountRow, wait, clock.now())
    if (memory.waiting.has(accountRow)) return
    memory.waiting.add(accountRow)
    onNotice({ waits: { account: this.handleOf(accountRow), ...wait } })
  }

  private handleOf(accountRow: number): string {
    const found = this.parts.connection.raw
      .query<{ handle: string }, [number]>('SELECT handle FROM account WHERE row = ?')
      .get(accountRow)
    return found?.handle ?? ''
  }
}

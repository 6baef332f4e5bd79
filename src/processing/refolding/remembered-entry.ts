import type { ReleaseEntry } from '../../ledger/decision.ts'
import type { Entry } from '../../ledger/entry.ts'
import type { Touch } from '../attribution/touch.ts'
import type { EntryKey } from '../entry-key.ts'
import type { GoalEntry } from '../goals/goals.ts'
import type { ProcessedAccount } from '../processed-account.ts'
import type { Receipt } from '../receipt.ts'
import type { SubmissionOrigin } from '../submissions/submission-fact.ts'

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
  /** The touch kept from it. */
  touch: Touch | null
  /** For submissions only. */
  origin: SubmissionOrigin | null
  /** Whether a later entry releases it. */
  isReleased: boolean
  /** When the first sign of life after a click came, epoch milliseconds; `undefined`: not a click. */
  lifeAt: number | null | undefined
  /** What it did of that which goals count; `null`: nothing. */
  goals: RememberedGoals | null
}

/** See `GoalEntry`. */
export type RememberedGoals = Pick<GoalEntry, 'targets' | 'visitAt' | 'counted'>

/** The release of one of the device's submissions. */
export interface RememberedRelease {
  key: EntryKey
  account: ProcessedAccount
  release: ReleaseEntry
}

import type { ReleaseEntry } from '../../ledger/decision.ts'
import type { Entry } from '../../ledger/entry.ts'
import type { Touch } from '../attribution/touch.ts'
import type { EntryKey } from '../entry-key.ts'
import type { GoalEntry } from '../goals/goals.ts'
import type { ProcessedAccount } from '../processed-account.ts'
import type { Receipt } from '../receipt.ts'
import type { SubmissionOrigin } from '../submissions/submission-fact.ts'

/** An entry of a device, with what processing has made of it so far. */
export interface RememberedEntry {
  key: EntryKey
  receipt: Receipt
  account: ProcessedAccount
  /** `null`: it cannot be read any more. What it counted and told by itself stays. */
  entry: Entry | null
  /** The day it was counted for, and what it added to that (figures/hit-bits.ts). */
  day: number
  counted: number
  /** The touch that was kept of it. */
  touch: Touch | null
  /** Of a submission. */
  origin: SubmissionOrigin | null
  /** Whether a release of it comes behind. */
  isReleased: boolean
  /** Of a click: when life was seen behind it, epoch milliseconds; `undefined`: it is none. */
  lifeAt: number | null | undefined
  /** What it did of that which goals count; `null`: nothing. */
  goals: RememberedGoals | null
}

/** See `GoalEntry`. */
export type RememberedGoals = Pick<GoalEntry, 'targets' | 'visitAt' | 'counted'>

/** The release of a submission of the device. */
export interface RememberedRelease {
  key: EntryKey
  account: ProcessedAccount
  release: ReleaseEntry
}

import type { LocalDays } from '../lib/local-day.ts'
import type { Verdicts } from '../verdict/verdicts.ts'
import type { touchOf } from './attribution/touch-of.ts'
import type { Touches } from './attribution/touches.ts'
import type { Clicks } from './clicks/clicks.ts'
import type { Deliveries, Replies } from './deliveries/deliveries.ts'
import type { Devices } from './devices.ts'
import type { Figures } from './figures/figures.ts'
import type { targetsOf } from './goals/counted-goals.ts'
import type { Goals } from './goals/goals.ts'
import type { Persons } from './person/persons.ts'
import type { Submissions } from './submissions/submissions.ts'

/**
 * What an entry alone says. Today's rules and settings decide when an entry is first folded; when it is folded again,
 * that decision is recalled (refolding/device-refold.ts). Outlives a step.
 */
export interface Rules {
  /** The local day of an instant, in the account's time zone. */
  days: Pick<LocalDays, 'of'>
  verdicts: Verdicts
  touchOf: typeof touchOf
  targetsOf: typeof targetsOf
}

/**
 * What processing has derived from the ledger so far, in memory, for an entry's rules to read and change. Later entries
 * see the changes, in the same step or a later one.
 */
export interface ProcessingState extends Rules {
  devices: Devices
  persons: Persons
  touches: Touches
  submissions: Submissions
  clicks: Clicks
  figures: Figures
  deliveries: Deliveries
  replies: Replies
  goals: Goals
}

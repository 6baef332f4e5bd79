import type { LocalDays } from '../lib/local-day.ts'
import type { Verdicts } from '../verdict/verdicts.ts'
import type { touchOf } from './attribution/touch-of.ts'
import type { Touches } from './attribution/touches.ts'
import type { Clicks } from './clicks/clicks.ts'
import type { Deliveries } from './deliveries/deliveries.ts'
import type { Replies } from './deliveries/replies.ts'
import type { Devices } from './devices.ts'
import type { Figures } from './figures/figures.ts'
import type { targetsOf } from './goals/counted-goals.ts'
import type { Goals } from './goals/goals.ts'
import type { Persons } from './person/persons.ts'
import type { Submissions } from './submissions/submissions.ts'

/**
 * What entries tell by themselves, each without any other: today's rules and settings read it when an entry is first folded,
 * and what they read then is recalled when it is folded again (forgetting/recalled-rules.ts). They outlive a step.
 */
export interface Rules {
  /** Which day an instant falls on where the account is. */
  days: Pick<LocalDays, 'of'>
  verdicts: Verdicts
  touchOf: typeof touchOf
  targetsOf: typeof targetsOf
}

/**
 * What processing has made of the ledger so far, in memory, as one entry's processing reads and changes it. What an entry
 * changes is seen by the next one, in the same step or behind it.
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

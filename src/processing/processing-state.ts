import type { LocalDays } from '../lib/local-day.ts'
import type { Verdicts } from '../verdict/verdicts.ts'
import type { Touches } from './attribution/touches.ts'
import type { Clicks } from './clicks/clicks.ts'
import type { Deliveries } from './deliveries/deliveries.ts'
import type { Replies } from './deliveries/replies.ts'
import type { Devices } from './devices.ts'
import type { Figures } from './figures/figures.ts'
import type { Persons } from './person/persons.ts'
import type { Submissions } from './submissions/submissions.ts'

/** By which rules entries are folded; they outlive a step. */
export interface Rules {
  /** Which day an instant falls on where the account is. */
  days: LocalDays
  verdicts: Verdicts
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
}

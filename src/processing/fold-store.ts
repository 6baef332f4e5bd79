import type { TouchLoads } from './attribution/touches.ts'
import type { ClickLoads } from './clicks/clicks.ts'
import type { ReplyLoads } from './deliveries/replies.ts'
import type { DeviceLoads } from './devices.ts'
import type { FigureLoads } from './figures/figures.ts'
import type { GoalLoads } from './goals/goals.ts'
import type { PersonLoads } from './person/persons.ts'
import type { ProcessingState, Rules } from './processing-state.ts'
import type { SubmissionLoads } from './submissions/submissions.ts'

/** What entries ask of storage, subject by subject: many questions at a time, answered in their order. */
export type Loads = DeviceLoads &
  PersonLoads &
  TouchLoads &
  SubmissionLoads &
  ClickLoads &
  FigureLoads &
  ReplyLoads &
  GoalLoads

/** What the entries of a step have changed. Keys of new devices and persons are negative, and stored under others. */
export type Changes = Omit<ProcessingState, keyof Rules>

/**
 * What processing has made of the ledger, as storage keeps it.
 *
 * Guarantees: `load` sees all steps that were kept, and nothing of the one under way; `keep` stores all changes together
 * with the cursor that says so, or nothing; nobody else changes anything from the first `load` of a step to its `keep`.
 * Synchronous: a step is one transaction of the database.
 */
export interface FoldStore {
  readonly load: Loads
  keep(changes: Changes): void
}

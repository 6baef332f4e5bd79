import type { TouchLoads } from './attribution/touches.ts'
import type { ClickLoads } from './clicks/clicks.ts'
import type { ReplyLoads } from './deliveries/replies.ts'
import type { DeviceLoads } from './devices.ts'
import type { FigureLoads } from './figures/figures.ts'
import type { GoalLoads } from './goals/goals.ts'
import type { PersonLoads } from './person/persons.ts'
import type { ProcessingState, Rules } from './processing-state.ts'
import type { SubmissionLoads } from './submissions/submissions.ts'

/** What entries ask of storage, by subject. */
export type Loads = DeviceLoads &
  PersonLoads &
  TouchLoads &
  SubmissionLoads &
  ClickLoads &
  FigureLoads &
  ReplyLoads &
  GoalLoads

/** What the step's entries changed. New devices and persons have negative keys and are stored under others. */
export type Changes = Omit<ProcessingState, keyof Rules>

/**
 * What processing derived from the ledger, as storage keeps it.
 *
 * Guarantees: `load` sees all kept steps and nothing of the present one; `keep` stores all changes together with the
 * cursor, or nothing; nobody else changes anything between a step's first `load` and its `keep`. Synchronous: a step is
 * one database transaction.
 */
export interface FoldStore {
  readonly load: Loads
  keep(changes: Changes): void
}

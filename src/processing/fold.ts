import { Touches, type TouchLoads } from './attribution/touches.ts'
import { type ClickLoads, Clicks } from './clicks/clicks.ts'
import { Deliveries, Replies, type ReplyLoads } from './deliveries/deliveries.ts'
import { type DeviceLoads, Devices } from './devices.ts'
import { type FigureLoads, Figures } from './figures/figures.ts'
import { type GoalLoads, Goals } from './goals/goals.ts'
import type { EntryKey, LedgerItem, UnderWay } from './ledger-item.ts'
import { type PersonLoads, Persons } from './person/persons.ts'
import { processEntry } from './process-entry.ts'
import type { ProcessingState, Rules } from './processing-state.ts'
import { type SubmissionLoads, Submissions } from './submissions/submissions.ts'

/**
 * One step of processing: folds each entry by the rules into the state that it touches, which is loaded on demand, and writes
 * the changes at the end. How a ledger is divided into steps does not affect the outcome.
 */
export class Fold {
  readonly state: ProcessingState
  private readonly underWay: UnderWay = { key: 0 as EntryKey }

  constructor(
    private readonly store: FoldStore,
    rules: Rules,
  ) {
    const { load } = store
    this.state = {
      ...rules,
      devices: new Devices(load, this.underWay),
      persons: new Persons(load),
      touches: new Touches(load),
      submissions: new Submissions(load, this.underWay),
      clicks: new Clicks(load, this.underWay),
      figures: new Figures(load),
      deliveries: new Deliveries(this.underWay),
      replies: new Replies(load),
      goals: new Goals(load),
    }
  }

  add({ key, entry, account }: LedgerItem): void {
    this.underWay.key = key
    processEntry({ key, entry, account }, this.state)
  }

  keep(): void {
    this.store.keep(this.state)
  }
}

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

import { Touches } from './attribution/touches.ts'
import { Clicks } from './clicks/clicks.ts'
import { Deliveries } from './deliveries/deliveries.ts'
import { Replies } from './deliveries/replies.ts'
import { Devices } from './devices.ts'
import type { EntryKey, LedgerItem, UnderWay } from './entry-key.ts'
import { Figures } from './figures/figures.ts'
import type { FoldStore } from './fold-store.ts'
import { Goals } from './goals/goals.ts'
import { Persons } from './person/persons.ts'
import { processEntry } from './process-entry.ts'
import type { ProcessingState, Rules } from './processing-state.ts'
import { Submissions } from './submissions/submissions.ts'

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

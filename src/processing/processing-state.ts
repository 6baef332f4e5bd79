import type { Verdicts } from '../verdict/verdicts.ts'
import type { TouchState } from './attribution/touch-state.ts'
import type { ClickState } from './clicks/click-state.ts'
import type { DeviceState } from './device-state.ts'
import type { FigureState } from './figures/figure-state.ts'
import type { LocalDays } from './figures/local-day.ts'
import type { PersonState } from './person/person-state.ts'
import type { SubmissionState } from './submissions/submission-state.ts'

/**
 * What processing has made of the ledger so far, as one entry's processing reads and changes it.
 *
 * Guarantees: reads see what was written before in the same step; what an entry changes is kept together with the
 * cursor that says it was processed, or not at all; nobody else changes it meanwhile. Synchronous, since a step is one
 * transaction of the database (docs/decisions).
 */
export interface ProcessingState {
  devices: DeviceState
  persons: PersonState
  touches: TouchState
  submissions: SubmissionState
  clicks: ClickState
  figures: FigureState
  /** Which day an instant falls on where the account is. */
  days: LocalDays
  /** By which rules. */
  verdicts: Verdicts
}

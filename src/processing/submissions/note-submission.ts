import type { Submission } from '../../ledger/entry.ts'
import type { Device } from '../device-state.ts'
import type { Person } from '../person/person-state.ts'
import type { ProcessedAccount } from '../processed-account.ts'
import type { ProcessingState } from '../processing-state.ts'

/** What a submission is beyond its record: whose lead, from where, or a likely duplicate. Answers the day it counts for. */
export function noteSubmission(
  _submission: Submission,
  _sender: { account: ProcessedAccount; device: Device | null; person: Person | null },
  _state: ProcessingState,
): { day: number } {
  return { day: 0 }
}

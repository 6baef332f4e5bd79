import type { Submission } from '../../ledger/entry.ts'
import { tieToPerson } from '../person/tie-to-person.ts'
import type { ProcessedAccount } from '../processed-account.ts'
import type { ProcessingState } from '../processing-state.ts'
import { noteRelease } from './note-submission.ts'

/** A refused submission that an operator has released: processed as if it had been accepted then. */
export function processRelease(
  submission: Submission,
  { account, releasedAt }: { account: ProcessedAccount; releasedAt: number },
  state: ProcessingState,
): void {
  const device = submission.deviceId === null ? null : state.devices.named(account.id, submission.deviceId)
  const person = tieToPerson(submission, { account, device }, state)
  noteRelease(submission, { account, device, person, releasedAt }, state)
}

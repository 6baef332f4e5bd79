import type { ReleaseEntry } from '../../ledger/decision.ts'
import { tieToPerson } from '../person/tie-to-person.ts'
import type { ProcessedAccount } from '../processed-account.ts'
import type { ProcessingState } from '../processing-state.ts'
import { noteRelease } from './note-submission.ts'

/**
 * From now on, a refused submission counts as if it had been accepted then.
 *
 * @throws if the submission was set aside: its release is set aside too, and retried after it
 */
export function processRelease(release: ReleaseEntry, account: ProcessedAccount, state: ProcessingState): void {
  const kept = state.submissions.kept({ accountId: account.id, id: release.id })
  // Retention or an erasure has deleted it, or it already counts.
  if (kept === null || kept.releasedAt !== null) return
  const { submission } = kept
  if (submission.test || submission.status === 'accepted') return
  if (!kept.isProcessed) throw new Error('the submission was set aside')
  const device = submission.deviceId === null ? null : state.devices.named(account.id, submission.deviceId)
  const person = tieToPerson(submission, { account, device }, state)
  noteRelease(kept, { account, device, person, releasedAt: release.receivedAt }, state)
}

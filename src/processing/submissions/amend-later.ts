import type { Hit } from '../attribution/touch.ts'
import type { Device } from '../devices.ts'
import type { ProcessedAccount } from '../processed-account.ts'
import type { ProcessingState } from '../processing-state.ts'
import { receiptOf } from '../receipt.ts'
import { changeOrigin } from './change-origin.ts'
import { submissionOrigin } from './submission-origin.ts'

/**
 * Limits the later submissions amended, nearest first. Records are only slightly late; more submissions follow only
 * where the clock was set back, and then each view would go through everything the device ever sent.
 */
export const amendedMax = 20

/**
 * A page view may be committed after a submission that followed it. The submission's origin is
 * then amended, and its lead moves to that source.
 */
export function amendLaterSubmissions(
  entry: Hit,
  { account, device }: { account: ProcessedAccount; device: Device },
  state: ProcessingState,
): void {
  const after = receiptOf(entry)
  for (const submission of state.submissions.later.of({ device: device.key, after, limit: amendedMax })) {
    const derived = submissionOrigin(device, submission.receipt, state)
    const origin = { ...derived, page: derived.page ?? submission.fact.page }
    changeOrigin(account.id, submission, { origin, state })
  }
}

import type { Device } from '../devices.ts'
import { type LeadNames, leadNames } from '../figures/measures.ts'
import type { ProcessingState } from '../processing-state.ts'
import type { Receipt } from '../receipt.ts'
import type { SubmissionOrigin } from './submission-fact.ts'

/** A submission's origin: its device's first and last touch, and the landing page served last. */
export function submissionOrigin(device: Device | null, receipt: Receipt, state: ProcessingState): SubmissionOrigin {
  if (device === null) return { first: null, last: null, page: null }
  return { ...state.touches.upTo(device.key, receipt), page: pageServed(device, receipt.at, state) }
}

/** A device remembers its latest page; for records that came before that page or late, the ledger is searched. */
function pageServed(device: Device, at: number, state: ProcessingState): SubmissionOrigin['page'] {
  if (device.page === null) return null
  return device.page.at > at ? state.devices.pageServed(device, at) : device.page
}

/** What one more lead of the day is counted under. */
export const countedNames = (
  origin: Pick<SubmissionOrigin, 'last'>,
  { accountId, day }: { accountId: string; day: number },
  { figures }: Pick<ProcessingState, 'figures'>,
): LeadNames => leadNames(origin, (measure, name) => figures.boundedName(accountId, { day, measure, name }))

import type { Device } from '../devices.ts'
import { daySourcesMax, figureName, isOwnSource, otherSources, ownSources } from '../figures/figure-name.ts'
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

/** The source of a lead, as figures have it. Without a device it is unknown, which is not the same as direct. */
export const leadSource = ({ last }: Pick<SubmissionOrigin, 'last'>): string => figureName(last?.source ?? 'unknown')

/**
 * The name under which one more lead of the day is counted. Visitors can make sources up, so beyond a limit all others
 * count as one.
 */
export function countedSource(
  origin: SubmissionOrigin,
  { accountId, day }: { accountId: string; day: number },
  { figures }: Pick<ProcessingState, 'figures'>,
): string {
  const name = leadSource(origin)
  const limit = { max: daySourcesMax, uncounted: ownSources }
  const isNamed = isOwnSource(name) || figures.mayName(accountId, { day, measure: 'lead_source', name }, limit)
  return isNamed ? name : otherSources
}

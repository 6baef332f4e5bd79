import type { Device } from '../devices.ts'
import { daySourcesMax, figureName, isOwnSource, otherSources, ownSources } from '../figures/figure-name.ts'
import type { Measure } from '../figures/measures.ts'
import type { ProcessingState } from '../processing-state.ts'
import type { Receipt } from '../receipt.ts'
import type { LeadNames, SubmissionOrigin } from './submission-fact.ts'

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

/**
 * The source and campaign of a lead, as figures have them. Without a device nothing tells, which is not the same as a direct
 * visit.
 */
export const leadNames = ({ last }: Pick<SubmissionOrigin, 'last'>): LeadNames => ({
  source: figureName(last?.source ?? 'unknown'),
  campaign: last?.campaign ? figureName(last.campaign) : null,
})

/** What one more lead of the day is counted under: strangers make up names, and beyond so many all count as one. */
export function countedNames(
  origin: Pick<SubmissionOrigin, 'last'>,
  { accountId, day }: { accountId: string; day: number },
  { figures }: Pick<ProcessingState, 'figures'>,
): LeadNames {
  const { source, campaign } = leadNames(origin)
  const named = (measure: 'lead_source' | 'lead_campaign', name: string): string => {
    const limit = { max: daySourcesMax, uncounted: ownSources }
    const isNamed = isOwnSource(name) || figures.mayName(accountId, { day, measure, name }, limit)
    return isNamed ? name : otherSources
  }
  return {
    source: named('lead_source', source),
    campaign: campaign === null ? null : named('lead_campaign', campaign),
  }
}

/** The figures of its day that a lead adds one to, beside that of its form. */
export const leadFigures = ({ source, campaign }: LeadNames): { measure: Measure; name: string }[] => [
  { measure: 'lead_source', name: source },
  ...(campaign === null ? [] : [{ measure: 'lead_campaign' as const, name: campaign }]),
]

export const isSameLead = (one: LeadNames, other: LeadNames): boolean =>
  one.source === other.source && one.campaign === other.campaign

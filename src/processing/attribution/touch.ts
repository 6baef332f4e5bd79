import type { Entry, Submission } from '../../ledger/entry.ts'

/** Records that can say where a visit came from. */
export type Hit = Exclude<Entry, Submission>

/** Where a visit came from, as far as one record says (docs/identity.md, "First and last touch"). */
export interface Touch {
  /** ISO 8601 UTC with milliseconds. */
  at: string
  /** The kind of the record that said so. */
  via: 'page_view' | 'event' | 'click'
  /** Lower-case: `google`, `newsletter`, a referring host; `direct` if nothing else is known. */
  source: string
  /** Lower-case: `organic`, `social`, `email`, `cpc`, `referral`, `none`, or what `utm_medium` says. */
  medium: string
  campaign: string | null
  term: string | null
  content: string | null
  /** Ad platforms' click ids by parameter name. */
  clickIds: Record<string, string>
  /** The referring address, cleaned. */
  referrer: string | null
  /** The address that was visited, cleaned. */
  url: string | null
}

/** Where a visit came from, in two words. */
export type Origin = Pick<Touch, 'source' | 'medium'>

/** The origin of a view without a source. */
export const direct: Origin = { source: 'direct', medium: 'none' }

export const isDirect = ({ source, medium }: Origin): boolean => source === direct.source && medium === direct.medium

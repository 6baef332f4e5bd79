import type { EntryKey } from '../../../processing/entry-key.ts'
import type { AmendableFact, AmendableSubmission } from '../../../processing/submissions/later-submissions.ts'
import type { LeadNames, SubmissionOrigin } from '../../../processing/submissions/submission-fact.ts'
import type { Values } from './bulk-insert.ts'
import { type PageColumns, pageColumns, pageOf } from './device-rows.ts'

// Where a submission came from, and what its lead is counted under, in columns of `submission_fact`.

export const laterColumns = `sequence AS key, received_at AS receivedAt, id, page_at AS pageAt, page_slug AS pageSlug,
    page_sha256 AS pageSha256, lead_day AS leadDay, lead_source AS leadSource, lead_campaign AS leadCampaign`

/** What of a stored submission a late record, or an erasure, can change. */
export interface LaterRow extends LeadColumns, PageColumns {
  key: EntryKey
  receivedAt: number
  id: string
  leadDay: number | null
}

/** What a stored lead was counted under; `null`: it is none. */
export const leadOf = ({ leadSource: source, leadCampaign: campaign }: LeadColumns): LeadNames | null =>
  source === null ? null : { source, campaign }

export interface LeadColumns {
  leadSource: string | null
  leadCampaign: string | null
}

export const amendable = ({
  key,
  receivedAt: at,
  id,
  leadDay,
  leadSource,
  leadCampaign,
  ...page
}: LaterRow): AmendableSubmission => ({
  key,
  receipt: { at, id },
  fact: {
    page: pageOf(page),
    counted: leadDay === null ? null : { day: leadDay, lead: leadOf({ leadSource, leadCampaign }) },
  },
})

export interface OriginColumns extends PageColumns {
  /** Touches as JSON. */
  first: string | null
  last: string | null
}

export const storedOrigin = ({ first, last, ...page }: OriginColumns): SubmissionOrigin => ({
  first: first === null ? null : JSON.parse(first),
  last: last === null ? null : JSON.parse(last),
  page: pageOf(page),
})

/** The values of an origin's columns, and of what its lead is counted under. */
export const originColumns = ({ first, last, page, counted }: AmendableFact): Values => [
  first && JSON.stringify(first),
  last && JSON.stringify(last),
  ...pageColumns(page),
  counted?.day ?? null,
  counted?.lead?.source ?? null,
  counted?.lead?.campaign ?? null,
]

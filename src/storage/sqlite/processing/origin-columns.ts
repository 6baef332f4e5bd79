import { type LeadNames, leadMeasures } from '../../../processing/figures/measures.ts'
import type { EntryKey } from '../../../processing/ledger-item.ts'
import type {
  AmendableFact,
  AmendableSubmission,
  SubmissionOrigin,
} from '../../../processing/submissions/submissions.ts'
import type { Values } from './bulk-insert.ts'
import { type PageColumns, pageColumns, pageOf } from './device-rows.ts'

// Where a submission came from, and what its lead is counted under, in columns of `submission_fact`.

/** What a lead is counted under, in the columns of a row. */
export const leadColumns = leadMeasures.join(', ')
export type LeadColumns = LeadNames

/** What a stored lead was counted under; `null`: it is none. */
export const leadOf = (row: LeadColumns): LeadNames | null =>
  row.lead_source === null
    ? null
    : (Object.fromEntries(leadMeasures.map((measure) => [measure, row[measure]])) as LeadNames)

export const laterColumns = `sequence AS key, received_at AS receivedAt, id, page_at AS pageAt, page_slug AS pageSlug,
    page_sha256 AS pageSha256, lead_day AS leadDay, ${leadColumns}`

/** What of a stored submission a late record, or an erasure, can change. */
export interface LaterRow extends LeadColumns, PageColumns {
  key: EntryKey
  receivedAt: number
  id: string
  leadDay: number | null
}

export const amendable = ({ key, receivedAt: at, id, leadDay, ...row }: LaterRow): AmendableSubmission => ({
  key,
  receipt: { at, id },
  fact: { page: pageOf(row), counted: leadDay === null ? null : { day: leadDay, lead: leadOf(row) } },
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
  ...leadMeasures.map((measure) => counted?.lead?.[measure] ?? null),
]

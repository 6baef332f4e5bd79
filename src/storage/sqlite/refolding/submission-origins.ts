import type { LeadNames, SubmissionOrigin } from '../../../processing/submissions/submission-fact.ts'
import { isSameLead, leadFigures, leadNames } from '../../../processing/submissions/submission-origin.ts'
import type { Connection } from '../database/connection.ts'
import { pageColumns, pageOf } from '../processing/device-rows.ts'
import { type LeadColumns, leadOf } from '../processing/submission-rows.ts'
import { CountedLeads } from './counted-leads.ts'
import type { DayFigures } from './day-figures.ts'

export interface OriginColumns {
  /** Touches as JSON. */
  first: string | null
  last: string | null
  pageAt: number | null
  pageSlug: string | null
  pageSha256: string | null
}

export const originOf = ({ first, last, ...page }: OriginColumns): SubmissionOrigin => ({
  first: first === null ? null : JSON.parse(first),
  last: last === null ? null : JSON.parse(last),
  page: pageOf(page),
})

interface FactRow extends OriginColumns, LeadColumns {
  accountRow: number
  leadDay: number | null
}

/** Origins of stored submissions, and the figures that follow from them. Call in a transaction. */
export class SubmissionOrigins {
  private readonly names: CountedLeads
  private readonly statements: ReturnType<typeof prepareStatements>

  constructor(
    connection: Connection,
    private readonly figures: DayFigures,
  ) {
    this.names = new CountedLeads(connection)
    this.statements = prepareStatements(connection)
  }

  /**
   * Changes an origin based on the stored one. A lead counts for its last touch's source, a likely duplicate for none.
   */
  change(sequence: number, changed: (stored: SubmissionOrigin) => SubmissionOrigin): void {
    const fact = this.statements.fact.get(sequence)
    if (fact === null) return
    const before = originOf(fact)
    const origin = changed(before)
    const { first, last, page } = origin
    const lead = isSameLead(leadNames(origin), leadNames(before)) ? leadOf(fact) : this.moved(fact, origin)
    const { source = null, campaign = null } = lead ?? {}
    this.statements.keep.run(textOf(first), textOf(last), ...pageColumns(page), source, campaign, sequence)
  }

  private moved(fact: FactRow, { last }: SubmissionOrigin): LeadNames | null {
    const { accountRow, leadDay: day } = fact
    const lead = leadOf(fact)
    if (day === null || lead === null) return lead
    for (const figure of leadFigures(lead)) this.figures.change(accountRow, { ...figure, day, count: -1 })
    const names = this.names.of(last, { accountRow, day })
    for (const figure of leadFigures(names)) this.figures.change(accountRow, { ...figure, day, count: 1 })
    return names
  }
}

const textOf = (touch: SubmissionOrigin['first']): string | null => touch && JSON.stringify(touch)

function prepareStatements({ raw }: Connection) {
  return {
    fact: raw.query<FactRow, [number]>(
      `SELECT account_row AS accountRow, first_touch AS first, last_touch AS last, page_at AS pageAt,
         page_slug AS pageSlug, page_sha256 AS pageSha256, lead_day AS leadDay, lead_source AS leadSource,
         lead_campaign AS leadCampaign
       FROM submission_fact WHERE sequence = ?`,
    ),
    keep: raw.query(
      `UPDATE submission_fact SET first_touch = ?, last_touch = ?, page_at = ?, page_slug = ?, page_sha256 = ?,
         lead_source = ?, lead_campaign = ? WHERE sequence = ?`,
    ),
  }
}

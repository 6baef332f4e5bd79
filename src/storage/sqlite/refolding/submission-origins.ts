import type { SubmissionOrigin } from '../../../processing/submissions/submission-fact.ts'
import { leadSource } from '../../../processing/submissions/submission-origin.ts'
import type { Connection } from '../database/connection.ts'
import { pageColumns, pageOf } from '../processing/device-rows.ts'
import type { DayFigures } from './day-figures.ts'
import { LeadSources } from './lead-sources.ts'

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

interface FactRow extends OriginColumns {
  accountRow: number
  leadDay: number | null
  leadSource: string | null
}

/** Origins of stored submissions, and the figures that follow from them. Call in a transaction. */
export class SubmissionOrigins {
  private readonly sources: LeadSources
  private readonly statements: ReturnType<typeof prepareStatements>

  constructor(
    connection: Connection,
    private readonly figures: DayFigures,
  ) {
    this.sources = new LeadSources(connection)
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
    const source = leadSource(origin) === leadSource(before) ? fact.leadSource : this.moved(fact, origin)
    this.statements.keep.run(textOf(first), textOf(last), ...pageColumns(page), source, sequence)
  }

  private moved({ accountRow, leadDay: day, leadSource: name }: FactRow, { last }: SubmissionOrigin): string | null {
    if (day === null || name === null) return name
    this.figures.change(accountRow, { day, measure: 'lead_source', name, count: -1 })
    const source = this.sources.of(last, { accountRow, day })
    this.figures.change(accountRow, { day, measure: 'lead_source', name: source, count: 1 })
    return source
  }
}

const textOf = (touch: SubmissionOrigin['first']): string | null => touch && JSON.stringify(touch)

function prepareStatements({ raw }: Connection) {
  return {
    fact: raw.query<FactRow, [number]>(
      `SELECT account_row AS accountRow, first_touch AS first, last_touch AS last, page_at AS pageAt,
         page_slug AS pageSlug, page_sha256 AS pageSha256, lead_day AS leadDay, lead_source AS leadSource
       FROM submission_fact WHERE sequence = ?`,
    ),
    keep: raw.query(
      `UPDATE submission_fact SET first_touch = ?, last_touch = ?, page_at = ?, page_slug = ?, page_sha256 = ?,
         lead_source = ? WHERE sequence = ?`,
    ),
  }
}

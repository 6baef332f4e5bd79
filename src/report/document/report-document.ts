import type { FiguresReport } from '../figures.ts'
import type { ComparedPeriods } from './period.ts'

/** What a report for an account's owner is made from. */
export interface ReportDocument {
  account: {
    name: string
    /** IANA name. */
    timezone: string
    /** Of the account's brand, `#rrggbb`; `null`: none. */
    colour: string | null
  }
  periods: ComparedPeriods
  figures: FiguresReport
  before: FiguresReport
  /** Refusals worth mentioning, most frequent first. */
  refusals: RefusalNote[]
  /** The number of records that no figure includes yet. */
  waiting: number
  /** The day on which the report is made, days since 1970-01-01 in the account's time zone. */
  madeOn: number
  /** Whether it is a marked example that tests a destination. */
  isExample: boolean
}

/** Refused requests of one kind, in words for an account's owner. */
export interface RefusalNote {
  count: number
  /** `A form was sent from a website that may not send it` */
  what: string
  /** What to do, in one sentence. */
  advice: string
}

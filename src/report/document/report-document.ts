import type { Language } from '../../language/language.ts'
import type { ReportTexts } from '../../language/texts/en.ts'
import type { FiguresReport } from '../figures.ts'
import type { ComparedPeriods } from './period.ts'

/** What a report for an account's owner is made from. */
export interface ReportDocument {
  account: {
    name: string
    /** IANA name. */
    timezone: string
    /** `null`: it names none, which is English. */
    language: Language | null
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

/** Why requests were refused, as far as an account's owner can do something about it. */
export type RefusalReason = keyof ReportTexts['keptOut']['reasons']

/** Refused requests of one kind. */
export interface RefusalNote {
  count: number
  reason: RefusalReason
}

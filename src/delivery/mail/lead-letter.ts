import type { LeadView } from '../lead-view.ts'

/** What the mail says, in the order in which both of its forms say it. */
export interface LeadLetter {
  accountName: string
  formName: string
  /** The account's, `#rrggbb`; `null`: it has none. */
  colour: string | null
  /** `Ada Lovelace wrote to you`, or `12 new messages`. */
  headline: string
  leads: readonly LeadView[]
  /** Leads beyond those shown. */
  leadsLeftOut: number
  /** The command that shows what was left out. */
  listCommand: string
  /** What happens when the reader answers; `null`: nothing to say. */
  answer: string | null
  /** Why the reader gets this mail. */
  reason: string
}

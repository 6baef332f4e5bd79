import type { Exchange } from './exchange.ts'

/**
 * `passed`: as it should be. `note`: as it should be, with something to know or do. `failed`: does not work. `asks`: a
 * person has to do something now. `skipped`: there was nothing to try, or no point in trying.
 */
export type CheckState = 'waiting' | 'running' | 'passed' | 'note' | 'failed' | 'asks' | 'skipped'

/** The outcome of a check, in plain words. */
export interface CheckOutcome {
  state: CheckState
  says: string
  /** What to do about it. */
  todo?: string
  /** A line to copy for that. */
  line?: string
  /** The requests it sent, with their answers. */
  exchanges?: Exchange[]
}

/** Shows an outcome beside its check. */
export type Report<Id extends string> = (id: Id, outcome: CheckOutcome) => void

export const domainChecks = {
  script: 'The script',
  configuration: 'Its configuration',
  origin: 'Sending from this page',
  consent: 'Asking for consent first',
  withoutConsent: 'An event without consent',
  withConsent: 'An event with consent',
  identify: 'A visitor says who they are',
  cookie: 'Knowing a visitor again',
} as const
export type DomainCheck = keyof typeof domainChecks

export const formChecks = {
  declaration: 'The form',
  honeypot: 'Its trap for robots',
  botCheck: 'Its bot check',
  submission: 'A submission',
} as const
export type FormCheck = keyof typeof formChecks

type Details = Pick<CheckOutcome, 'todo' | 'line' | 'exchanges'>

const outcomeOf =
  (state: CheckState) =>
  (says: string, details: Details = {}): CheckOutcome => ({ state, says, ...details })

export const passed = outcomeOf('passed')
export const note = outcomeOf('note')
export const failed = outcomeOf('failed')
export const asks = outcomeOf('asks')
export const skipped = outcomeOf('skipped')
export const trying: CheckOutcome = { state: 'running', says: '' }

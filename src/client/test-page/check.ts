import type { Exchange } from './exchange.ts'

/**
 * `passed`: as it should be. `note`: as it should be, with something to know or to do. `failed`: does not work.
 * `asks`: a person has to do something now. `skipped`: there was nothing to try, or no use in trying.
 */
export type CheckState = 'waiting' | 'running' | 'passed' | 'note' | 'failed' | 'asks' | 'skipped'

/** What a check found, in plain words. */
export interface Finding {
  state: CheckState
  says: string
  /** What to do about it. */
  todo?: string
  /** A line to copy for that. */
  line?: string
  /** The requests it sent, with their answers. */
  exchanges?: Exchange[]
}

/** Shows a finding in the place of its check. */
export type Report<Id extends string> = (id: Id, finding: Finding) => void

export const domainChecks = {
  script: 'The script loads',
  configuration: 'Its configuration arrives',
  origin: 'This page may send',
  consent: 'Consent is asked for first',
  withoutConsent: 'An event without consent',
  withConsent: 'An event with consent',
  identify: 'A visitor says who they are',
  cookie: 'The visitor is known again',
} as const
export type DomainCheck = keyof typeof domainChecks

export const formChecks = {
  declaration: 'The form is live',
  honeypot: 'Its trap for robots is set',
  botCheck: 'Its bot check is solved',
  submission: 'A submission arrives',
} as const
export type FormCheck = keyof typeof formChecks

export const skipped = (says: string): Finding => ({ state: 'skipped', says })

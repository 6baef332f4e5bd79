import type { Submission } from '../../ledger/entry.ts'
import type { Touch } from '../attribution/touch.ts'
import type { DeviceKey } from '../device-state.ts'
import type { PersonKey } from '../person/person-state.ts'

/** What is known of a stored submission beyond its record. */
export interface SubmissionFact {
  person: PersonKey | null
  device: DeviceKey | null
  /** Of form and fields; `null` while refused. */
  fingerprint: string | null
  duplicateOf: string | null
  first: Touch | null
  last: Touch | null
  page: { slug: string; sha256: string } | null
  /** The day it counts as a lead, and for which source; `null`: it is none. */
  lead: { day: number; source: string } | null
}

export interface SubmissionState {
  /** Keeps what is known of the submission under way. */
  add(submission: Submission, fact: SubmissionFact): void
}

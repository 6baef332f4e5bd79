import type { Submission } from '../../ledger/entry.ts'
import type { Touch } from '../attribution/touch.ts'
import type { DeviceKey, ServedPage } from '../devices.ts'
import type { EntryKey } from '../entry-key.ts'
import type { CountedSubmission } from '../figures/measures.ts'
import type { PersonKey } from '../person/persons.ts'

/** Where a submission came from, as far as its device knows. */
export interface SubmissionOrigin {
  first: Touch | null
  last: Touch | null
  /** The landing page that the device was served last. */
  page: ServedPage | null
}

/** What is known about a stored submission beyond its record. */
export interface SubmissionFact extends SubmissionOrigin {
  person: PersonKey | null
  device: DeviceKey | null
  /** See fingerprint.ts; `null` while refused. */
  fingerprint: string | null
  duplicateOf: string | null
  /** `null`: it counts nowhere. */
  counted: CountedSubmission | null
}

export interface NotedSubmission {
  key: EntryKey
  submission: Submission
  fact: SubmissionFact
  /** When an operator released it, epoch milliseconds; `null`: it was accepted, or is still refused. */
  releasedAt: number | null
}

/** A submission that a release names. */
export interface KeptSubmission extends Pick<NotedSubmission, 'key' | 'submission' | 'releasedAt'> {
  /** `false`: it was set aside. */
  isProcessed: boolean
}

import type { Submission } from '../../ledger/entry.ts'
import type { Touch } from '../attribution/touch.ts'
import type { DeviceKey } from '../device-state.ts'
import type { PersonKey } from '../person/person-state.ts'
import type { Receipt } from '../receipt.ts'

/** Where a submission came from, as far as its device tells. */
export interface SubmissionOrigin {
  first: Touch | null
  last: Touch | null
  /** The landing page that the device had been served last, and when, epoch milliseconds. */
  page: { at: number; slug: string; sha256: string } | null
}

/** What is known of a stored submission beyond its record. */
export interface SubmissionFact extends SubmissionOrigin {
  person: PersonKey | null
  device: DeviceKey | null
  /** See fingerprint.ts; `null` while refused. */
  fingerprint: string | null
  duplicateOf: string | null
  /**
   * The day it counts for, and the source of a lead as it was counted (`null`: a likely duplicate); `null`: it counts
   * nowhere.
   */
  counted: { day: number; source: string | null } | null
}

export interface SubmissionState {
  /** Keeps what is known of the submission under way. */
  add(submission: Submission, fact: SubmissionFact): void
  /** Replaces what was known of the submission under way, which is processed again since it was released. */
  replace(fact: SubmissionFact): void
  /** The one received first among those of the account that have the fingerprint, in a time with both ends in it. */
  alike(fingerprint: string, received: { from: number; to: number }): { id: string; duplicateOf: string | null } | null
  /** The device's first submissions behind the receipt, so many at most. */
  after(
    device: DeviceKey,
    receipt: Receipt,
    most: { limit: number },
  ): { receipt: Receipt; page: SubmissionOrigin['page']; counted: SubmissionFact['counted'] }[]
  /** Keeps where a submission of the account came from, known better than before. */
  amend(id: string, origin: SubmissionOrigin & { counted: SubmissionFact['counted'] }): void
  /** The landing page that the device had been served last by that time, epoch milliseconds, looked up in the ledger. */
  pageServed(device: DeviceKey, at: number): SubmissionOrigin['page']
}

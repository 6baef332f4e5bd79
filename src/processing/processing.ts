import type { ClickVerdict } from '../ledger/entry.ts'
import type { RetentionNotice } from './retention.ts'

/**
 * Everything downstream of capture: reads the ledger in order behind a saved cursor and derives persons, attribution,
 * verdicts and figures.
 *
 * Guarantees: each entry is processed exactly once, by whichever process and despite kills; an entry that cannot be
 * processed is set aside and the rest goes on; no step holds the database's write lock longer than 20 ms.
 */
export interface Processing {
  /** Processes waiting entries for at most so many milliseconds; returns how many still wait. */
  catchUp(msMax: number): Promise<number>
  /** How far processing is behind, and what it set aside. */
  state(): Promise<ProcessingReport>
}

export interface ProcessingReport {
  /** Upper bound of waiting entries: it includes those deleted since they were stored. */
  waiting: number
  /** Receipt of the oldest waiting entry, epoch milliseconds; `null`: none waits. */
  oldestReceivedAt: number | null
  /** Entries that could not be processed. A reason names an error and its place in the sources, and quotes nothing. */
  setAside: { count: number; latest: SetAside | null }
}

export interface SetAside {
  reason: string
  at: number
  /** Whose it is and its id; `null`: it cannot be read. */
  entry: { account: string; id: string } | null
  /** Whether it took too long, so that only another version of the program tries it again. */
  tookTooLong: boolean
}

/** What operators should know about processing. Reasons name errors and places in the sources, and quote nothing. */
export type ProcessingNotice =
  /** A step failed through no fault of an entry, and is tried again. */
  | { processingFailed: string }
  /** An entry could not be processed. */
  | { setAside: string }
  | { retention: RetentionNotice }

/** Nothing was decided; `unprocessed`: processing has not reached the submission yet, or set it aside. */
export interface Undecided {
  outcome: 'test_page' | 'unprocessed' | 'unknown'
}

/** `accepted`: the submission was never refused, so that its release has no time. */
export type ReleaseOutcome = { outcome: 'released' | 'already_released' | 'accepted'; at: number | null } | Undecided

/** `at`: when an operator refused it; `null`: it was refused on receipt. */
export type RefusalOutcome = { outcome: 'refused' | 'already_refused'; at: number | null } | Undecided

/**
 * Submissions refused as sent by a bot, or by an operator, kept apart until an operator decides otherwise.
 *
 * Guarantees: a release or refusal is an entry of the ledger, on disk when this resolves, and the latest of a submission holds;
 * processing counts it in its turn, whichever process that is.
 */
export interface Quarantine {
  /** Refuses a submission of the account that counts, at that instant, epoch milliseconds. */
  refuse(accountId: string, id: string, at: number): Promise<RefusalOutcome>
  /** Releases a refused submission of the account at that instant, epoch milliseconds. */
  release(accountId: string, id: string, at: number): Promise<ReleaseOutcome>
}

/**
 * Applies today's rules to clicks that were judged by earlier ones.
 *
 * Guarantees: a click's verdict and the figures that count it change together; the database's write lock is held for 20
 * ms at most; if a run dies, the next one does the rest; a second run changes nothing.
 */
export interface ClickRejudging {
  rejudge(accountId: string): Promise<RejudgedClicks>
}

export interface RejudgedClicks {
  clicks: number
  /** Verdicts that changed, most frequent first. */
  changed: { from: ClickVerdict; to: ClickVerdict; clicks: number }[]
}

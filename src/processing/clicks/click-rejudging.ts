import type { ClickVerdict } from '../../ledger/entry.ts'

/**
 * Today's rules, applied to the clicks that were judged by earlier ones.
 *
 * Guarantees: what is shown of a click and the figures it counts in change together; the database's write lock is held
 * for 20 ms at most; a run that dies has done part of it, and the next one does the rest; done twice, the second
 * changes nothing.
 */
export interface ClickRejudging {
  rejudge(accountId: string): Promise<RejudgedClicks>
}

export interface RejudgedClicks {
  /** Clicks that were judged. */
  clicks: number
  /** Verdicts that changed, most first. */
  changed: { from: ClickVerdict; to: ClickVerdict; clicks: number }[]
}

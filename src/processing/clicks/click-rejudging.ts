import type { ClickVerdict } from '../../ledger/entry.ts'

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
  /** Clicks that were judged. */
  clicks: number
  /** Verdicts that changed, most frequent first. */
  changed: { from: ClickVerdict; to: ClickVerdict; clicks: number }[]
}

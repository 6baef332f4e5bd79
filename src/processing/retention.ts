import type { RetentionSettings } from '../account/account.ts'

/** Refused submissions that an account keeps in any case (contract section 8), the newest ones. */
export const refusedKeptMax = 100_000

/** Records received before are deleted, epoch milliseconds; `null`: none. */
export interface RetentionCutoffs {
  submissions: number | null
  events: number | null
  refused: number
}

const dayMs = 86_400_000

export const retentionCutoffs = (
  { submissionsDays, eventsDays, refusedDays }: RetentionSettings,
  now: number,
): RetentionCutoffs => ({
  submissions: submissionsDays === null ? null : now - submissionsDays * dayMs,
  events: eventsDays === null ? null : now - eventsDays * dayMs,
  refused: now - refusedDays * dayMs,
})

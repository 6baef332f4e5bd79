import type { RetentionClass, RetentionCutoffs } from '../retention.ts'

/** What decides how long a submission is kept. */
export interface RetainedSubmission {
  /** Epoch milliseconds. */
  receivedAt: number
  /** `null`: unreadable. */
  status: 'accepted' | 'refused' | null
  isReleased: boolean
}

/** A released submission is kept as long as an accepted one. */
export const classOf = ({ status, isReleased }: Omit<RetainedSubmission, 'receivedAt'>): RetentionClass =>
  status === 'refused' && !isReleased ? 'refused' : 'submissions'

export function hasSubmissionExpired(submission: RetainedSubmission, cutoffs: RetentionCutoffs): boolean {
  const cutoff = classOf(submission) === 'refused' ? cutoffs.refused : cutoffs.submissions
  return cutoff !== null && submission.receivedAt < cutoff
}

/** If the clock was ahead by less than this, the next sweep after that time looks past those records. */
const aheadMsMin = 86_400_000

/**
 * Whether records behind a page of them, in order of commit, are as young as these. A page of receipts in the future was written
 * while the clock was ahead, and says nothing about later pages.
 */
export const areAllYoung = (
  page: readonly { receivedAt: number }[],
  { before, now }: { before: number; now: number },
): boolean =>
  page.every(({ receivedAt }) => receivedAt >= before) && page.some(({ receivedAt }) => receivedAt <= now + aheadMsMin)

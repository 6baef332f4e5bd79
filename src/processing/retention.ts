import type { RetentionSettings } from '../account/account.ts'

/** Refused submissions that an account keeps in any case (docs/privacy.md): the newest. */
export const refusedKeptMax = 100_000

/** Classes of records, each with its own term; `events` covers events, page views and clicks. */
export const retentionClasses = ['submissions', 'events', 'refused'] as const
export type RetentionClass = (typeof retentionClasses)[number]
export type RetentionCounts = Record<RetentionClass, number>

export const noRecords = (): RetentionCounts => ({ submissions: 0, events: 0, refused: 0 })
export const allOf = ({ submissions, events, refused }: RetentionCounts): number => submissions + events + refused

/** Records received before these instants are deleted, epoch milliseconds; `null`: none. */
export interface RetentionCutoffs {
  submissions: number | null
  events: number | null
  refused: number
}

/** A finished pass: the instant by which it deleted, epoch milliseconds, and its terms. */
export interface RetentionPass {
  at: number
  terms: RetentionSettings
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

/**
 * Cutoffs below which a pass should find nothing, since the last pass would have deleted it. What came due since is
 * expected, and so is what a shorter term makes due, because `apply` announced it. Before the first pass, everything
 * due is unexpected.
 */
export function unexpectedCutoffs(terms: RetentionSettings, now: number, last: RetentionPass | null): RetentionCutoffs {
  if (last === null) return retentionCutoffs(terms, now)
  const longer = (one: number | null, other: number | null) =>
    one === null || other === null ? null : Math.max(one, other)
  return retentionCutoffs(
    {
      submissionsDays: longer(terms.submissionsDays, last.terms.submissionsDays),
      eventsDays: longer(terms.eventsDays, last.terms.eventsDays),
      refusedDays: Math.max(terms.refusedDays, last.terms.refusedDays),
    },
    Math.min(now, last.at),
  )
}

/** Up to this many records of a class never count as most of an account. */
const fewMax = 9

/** Whether an account would lose most records of a class at once. */
export const isMost = ({ due, kept }: { due: number; kept: number }): boolean => due > fewMax && due > kept

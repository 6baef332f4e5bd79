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

/** What decides how long a submission is kept. */
export interface RetainedSubmission {
  receivedAt: number
  /** `null`: unreadable. */
  status: 'accepted' | 'refused' | null
  isReleased: boolean
  /** When an operator refused it; `null`: none did, or it was released since. */
  refusedAt: number | null
}

/** A released submission is kept as long as an accepted one. */
export const classOf = ({ status, isReleased }: Pick<RetainedSubmission, 'status' | 'isReleased'>): RetentionClass =>
  status === 'refused' && !isReleased ? 'refused' : 'submissions'

/** What an operator refused stays for the term of refused ones from then on, so that there is time to release it. */
export function hasSubmissionExpired(submission: RetainedSubmission, cutoffs: RetentionCutoffs): boolean {
  const { receivedAt, refusedAt } = submission
  const isBefore = (at: number, cutoff: number | null) => cutoff !== null && at < cutoff
  const isRefused = classOf(submission) === 'refused'
  if (isRefused && refusedAt === null) return isBefore(receivedAt, cutoffs.refused)
  return isBefore(receivedAt, cutoffs.submissions) || (refusedAt !== null && isBefore(refusedAt, cutoffs.refused))
}

/** If the clock was ahead by less than this, the next sweep after that time looks past those records. */
const aheadMsMin = dayMs

/**
 * Whether records behind a page of them, in order of commit, are as young as these. A page of receipts in the future was written
 * while the clock was ahead, and says nothing about later pages.
 */
export const areAllYoung = (
  page: readonly { receivedAt: number }[],
  { before, now }: { before: number; now: number },
): boolean =>
  page.every(({ receivedAt }) => receivedAt >= before) && page.some(({ receivedAt }) => receivedAt <= now + aheadMsMin)

/** Up to this many records of a class never count as most of an account. */
const fewMax = 9

/** Whether an account would lose most records of a class at once. */
export const isMost = ({ due, kept }: { due: number; kept: number }): boolean => due > fewMax && due > kept

/** The machine's clocks at one moment. */
export interface ClockReading {
  /** Epoch milliseconds, the clock that stamps records. */
  at: number
  /** The boot and how long ago it was, including sleep; `null`: not known on this system. */
  bootId: string | null
  uptimeMs: number | null
}

/** What follows from the last believed reading. */
export interface ClockBelief {
  isBelieved: boolean
  /** What the clock should show, epoch milliseconds. */
  expectedAt: number
  /** `false`: the clock should show at least this. The machine was restarted in between and may have been off for long. */
  isExact: boolean
}

/** More than a time server's correction or a wrong time zone, and far less than any retention period. */
const errorMsMax = dayMs
/** How long a machine may have been off before its clock is questioned. */
const offMsMax = 7 * dayMs

/**
 * Whether a clock can be right. Within one boot, the uptime says how much time has passed. Across boots nothing does: a
 * machine that was off for a week is believed, one that was off for longer looks like a wrong clock.
 */
export function believe(last: ClockReading, now: ClockReading): ClockBelief {
  const passedMs = uptimeBetween(last, now)
  const expectedAt = last.at + (passedMs ?? 0)
  const leadMs = now.at - expectedAt
  const leadMsMax = passedMs === null ? offMsMax : errorMsMax
  return { isBelieved: leadMs >= -errorMsMax && leadMs <= leadMsMax, expectedAt, isExact: passedMs !== null }
}

/** `null`: not known. A container may count its own uptime under its host's boot id, so that it goes back. */
function uptimeBetween(last: ClockReading, now: ClockReading): number | null {
  if (now.bootId === null || now.bootId !== last.bootId) return null
  if (now.uptimeMs === null || last.uptimeMs === null || now.uptimeMs < last.uptimeMs) return null
  return now.uptimeMs - last.uptimeMs
}

/** What operators should know about retention. */
export type RetentionNotice =
  /** A pass over all accounts has ended and deleted something since the last such notice. */
  | { deleted: RetentionCounts }
  /** An account would lose most records of a class. It keeps them until the operator allows the deletion. */
  | { waits: RetentionWait & { account: string } }
  /** The clock is implausible: nothing is deleted by age until it is plausible or the operator accepts it. */
  | { clockDoubted: { now: number; expectedAt: number; isExact: boolean } }
  | { clockBelieved: number }

/** Why an account's pass waits: so many records of a class are due, and only so many would be kept. */
export interface RetentionWait {
  class: RetentionClass
  due: number
  kept: number
  /** What the same pass would delete of the other classes. */
  also: RetentionCounts
}

/** What an account keeps and what of it is due. */
export interface RetentionOutlook {
  due: RetentionCounts
  /**
   * When the next record of a class expires, epoch milliseconds; `null`: there is none, or the class is kept forever.
   */
  nextDueAt: Record<RetentionClass, number | null>
}

export interface AccountRetention {
  handle: string
  terms: RetentionSettings
  /** The instant by which the last pass deleted, epoch milliseconds; `null`: there was no pass yet. */
  passedAt: number | null
  /** What the pass waits for, and since when; `null`: it does not wait. */
  wait: (RetentionWait & { since: number; isAllowed: boolean }) | null
}

/**
 * What an operator can see and decide about retention, with or without a running service.
 *
 * Guarantees: a service obeys within a second of being idle; a permission holds for one pass.
 */
export interface RetentionKeeper {
  /** The clock as the next pass would judge it. */
  clock(): ClockBelief & { now: number }
  accounts(): Promise<AccountRetention[]>
  /** What these terms would delete right now. */
  outlook(accountId: string, terms: RetentionSettings): Promise<RetentionOutlook>
  /**
   * Call before an account gets shorter terms, once the operator knows what becomes due: retention then expects that.
   * @param terms the present ones
   */
  announce(accountId: string, terms: RetentionSettings): Promise<void>
  /** Lets the waiting pass go ahead. Returns what it waited for; `null` if it did not wait. */
  allow(accountId: string): Promise<RetentionWait | null>
  /** Accepts the present clock. What it makes due is examined again, account by account. */
  trustClock(): Promise<void>
}

import { localDay, startOfDay } from '../processing/figures/local-day.ts'
import { usageError } from './command.ts'
import { typedInstant } from './typed-time.ts'

/** Where a report begins: with a day (days since 1970-01-01) of the account's time zone, or with that of an instant. */
export type ReportSince = { day: number } | { at: number }

const dayMs = 86_400_000
const dateAlone = /^\s*\d{4}-\d\d-\d\d\s*$/
/** Where every day begins first. */
const earliestZone = 'Pacific/Kiritimati'

/** What `--since` of a report names. A date alone is the account's own day: whoever types it has read it in a report. */
export function typedSince(typed: string, now: number): ReportSince {
  const at = typedInstant('--since', typed, now) ?? now
  if (!dateAlone.test(typed)) return at > now ? inTheFuture() : { at }
  const day = at / dayMs
  return day > localDay(now, earliestZone) ? inTheFuture() : { day }
}

/** The report's first day in the account's time zone. */
export const firstDay = (since: ReportSince, timezone: string): number =>
  'day' in since ? since.day : localDay(since.at, timezone)

/** After a change of the time zone, something may have been counted for a day that has not begun: it is none to come. */
export function refuseToCome(day: number, { today, knownLast }: { today: number; knownLast: number | null }): void {
  if (day > Math.max(today, knownLast ?? today)) inTheFuture()
}

/** When that begins, epoch milliseconds, for what is kept with its time instead of a day. */
export function sinceInstant(since: ReportSince, { now, timezone }: { now: number; timezone: string }): number {
  if ('at' in since) return since.at
  refuseToCome(since.day, { today: localDay(now, timezone), knownLast: null })
  return startOfDay(since.day, timezone)
}

function inTheFuture(): never {
  throw usageError('--since lies in the future.')
}

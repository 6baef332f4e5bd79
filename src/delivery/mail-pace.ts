/** Between two mails about one form to one destination (contract section 14). */
const mailPauseMs = 300_000
/** Leads in one mail; more wait for the next. */
export const leadsPerMailMax = 100

/** When the next mail about a form may go out: at once, or five minutes after the one before. Epoch milliseconds. */
export function mailDueAt(sentAt: number | null, now: number): number {
  // A clock that was set back must not hold mail for longer.
  if (sentAt === null || sentAt > now) return now
  return Math.max(now, sentAt + mailPauseMs)
}

/** Between two mails about one form to one destination (docs/mail.md). */
const mailPauseMs = 300_000
/** Leads in one mail; others wait for the next one. */
export const leadsPerMailMax = 100

/** When the next mail about a form may be sent, epoch milliseconds: at once, or five minutes after the last one. */
export function mailDueAt(sentAt: number | null, now: number): number {
  // A clock that was set back must not hold mail longer.
  if (sentAt === null || sentAt > now) return now
  return Math.max(now, sentAt + mailPauseMs)
}

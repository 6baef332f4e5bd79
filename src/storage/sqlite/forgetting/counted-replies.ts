import { boxReplyMark } from '../../../account/reply-opt-out.ts'
import { replyWindowMsMax } from '../../../delivery/reply/reply-rules.ts'
import { SqliteReplyConsent } from '../capture/reply-consent.ts'
import type { Connection } from '../database/connection.ts'

/**
 * Removes the marks by which the account's replies to the address count towards limits. An opt-out stays: it keeps the
 * address from being mailed again (docs/privacy.md).
 */
export function removeCountedReplies({ raw }: Pick<Connection, 'raw'>, accountRow: number, email: string): void {
  // Most accounts reply to nobody.
  if (raw.query('SELECT 1 FROM visitor_reply LIMIT 1').get() === null) return
  const mark = boxReplyMark(email, new SqliteReplyConsent(raw).key())
  raw.run('DELETE FROM visitor_reply WHERE address_mark = ? AND account_row = ?', [mark, accountRow])
}

/** Removes replies that no longer count for any record received at `at` (epoch milliseconds) or later. */
export function forgetCountedReplies({ raw }: Pick<Connection, 'raw'>, at: number): void {
  raw.run('DELETE FROM visitor_reply WHERE at < ?', [at - 2 * replyWindowMsMax])
}

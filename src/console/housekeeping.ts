import { sentKeptMs } from '../operations/upload/upload-folder.ts'
import { idempotencyKeptMs } from './api/idempotency.ts'
import { auditKeptDays } from './audit/audit-log.ts'
import type { ConsoleBox } from './console-box.ts'
import { tokenKeptMs } from './token/api-token.ts'

const dayMs = 86_400_000

/** Erases what the console keeps no longer: sessions that are over, old tokens and invitations, shared reports, answers, contents of failed uploads, and lines of the audit log. */
export async function eraseOutdated({
  sessions,
  tokens,
  users,
  shares,
  idempotency,
  audit,
  uploads,
  clock,
}: ConsoleBox): Promise<void> {
  const now = clock.now()
  await sessions.eraseOver(now)
  await tokens.eraseOld(now - tokenKeptMs)
  await users.eraseInvitationsBefore(now - auditKeptDays * dayMs)
  await shares.eraseOver(now)
  await idempotency.eraseBefore(now - idempotencyKeptMs)
  await uploads.eraseKeptBefore(now - sentKeptMs)
  await audit.eraseBefore(now - auditKeptDays * dayMs)
}

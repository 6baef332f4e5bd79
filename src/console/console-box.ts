import type { Log } from '../lib/log.ts'
import type { Box } from '../operations/box.ts'
import type { AttemptBudgets } from './access/attempts.ts'
import type { IdempotencyStore } from './api/idempotency.ts'
import type { AuditLog } from './audit/audit-log.ts'
import type { RefusedTries } from './audit/refused-tries.ts'
import type { BackupRun } from './backup-run.ts'
import type { Examination } from './examination.ts'
import type { InboxStates, Notes, SavedFilters } from './inbox/inbox.ts'
import type { LiveStreams } from './live/event-stream.ts'
import type { NextPages } from './session/next-page.ts'
import type { SessionStore } from './session/session.ts'
import type { ReportShares } from './share/report-share.ts'
import type { Passkeys } from './sign-in/passkeys.ts'
import type { Passwords } from './sign-in/password.ts'
import type { TokenStore } from './token/api-token.ts'
import type { WaitingUploads } from './upload/waiting-uploads.ts'
import type { UserStore } from './user/user.ts'

export interface ConsoleStores {
  users: UserStore
  sessions: SessionStore
  tokens: TokenStore
  audit: AuditLog
  idempotency: IdempotencyStore
  shares: ReportShares
  inboxStates: InboxStates
  notes: Notes
  savedFilters: SavedFilters
}

/** What the console works with: the ports of every operation, and its own stores. */
export interface ConsoleBox extends Box, ConsoleStores {
  /** Part of the cookies' names over plain HTTP. */
  cookieMark: string
  budgets: AttemptBudgets
  refused: RefusedTries
  passwords: Passwords
  passkeys: Passkeys
  live: LiveStreams
  nextPages: NextPages
  waitingUploads: WaitingUploads
  /** The start of the console's addresses, for links that are sent to somebody. @throws OperatorError when the console is closed */
  address(): string
  examination: Examination
  backupRun: BackupRun
  log: Log
}

import type { Log } from '../lib/log.ts'
import type { AssetUse } from '../operations/asset/asset-use.ts'
import type { SentBases } from '../operations/backup/back-up-now.ts'
import type { VerifiedTargets } from '../operations/backup/restore-target.ts'
import type { Box } from '../operations/box.ts'
import type { CheckResult } from '../operations/check-result.ts'
import type { AttemptBudgets } from './access/attempts.ts'
import type { IdempotencyStore } from './api/idempotency.ts'
import type { AuditLog } from './audit/audit-log.ts'
import type { RefusedTries } from './audit/refused-tries.ts'
import type { InboxStates, Notes, SavedFilters } from './inbox/inbox.ts'
import type { LiveStreams } from './live/event-stream.ts'
import type { NextPages } from './session/next-page.ts'
import type { SessionStore } from './session/session.ts'
import type { ReportShares } from './share/report-share.ts'
import type { SharedChanges } from './shared-changes.ts'
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

/** Where the settings of the box are, and how it takes them over. */
export interface SettingsPlace {
  /** `null`: it runs without a file. */
  file: string | null
  /** The command that restarts the box; `null`: only who started it knows. */
  restart: string | null
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
  assetUse: AssetUse
  /** A first site folder for a customer of this name, which stands in texts of TOML and HTML as it is. */
  firstFolder(of: { name: string; domain: string }): Promise<readonly { path: string; bytes: Uint8Array }[]>
  /** The start of the console's addresses, for links that are sent to somebody. @throws OperatorError when the console is closed */
  address(): string
  settingsPlace: SettingsPlace
  examination: Examination
  backupRun: BackupRun
  /** `null`: a single box. */
  changes: SharedChanges | null
  log: Log
}

export interface EndedBackup {
  at: number
  /** Why targets got nothing. */
  faults: readonly string[]
}

/**
 * Backs up, and reads backups back, beside the console, which answers meanwhile.
 *
 * Guarantees: one of these runs at a time; the console does not rest before its end.
 */
export interface BackupRun {
  /** @param to the targets @throws OperatorError when none got a base, or another backup is under way */
  run(to: readonly string[]): Promise<SentBases>
  /** Reads back what the targets hold. @throws OperatorError when a backup is under way */
  verify(to: readonly string[]): Promise<VerifiedTargets>
  isUnderWay(): boolean
  /** `null`: none has ended since the console started. */
  latest(): EndedBackup | null
}

export interface Examined {
  at: number
  checks: CheckResult[]
}

/**
 * Examines the box on another thread, so that the console keeps answering.
 *
 * Guarantees: at most one examination of each depth runs at a time; everybody who asks during it gets its result.
 */
export interface Examination {
  /** @param deep whether all published content is read and hashed */
  run(deep: boolean): Promise<Examined>
  isUnderWay(): boolean
  /** The latest result; `null`: no examination has ended since the console started. */
  latest(): Examined | null
}

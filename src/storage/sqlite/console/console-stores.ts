import type { ConsoleStores } from '../../../console/console-box.ts'
import type { Connection } from '../database/connection.ts'
import { SqliteAuditLog } from './audit-log.ts'
import { SqliteIdempotencyStore } from './idempotency-store.ts'
import { SqliteInboxStates, SqliteNotes, SqliteSavedFilters } from './inbox-states.ts'
import { SqliteReportShares } from './report-shares.ts'
import { SqliteSessionStore } from './session-store.ts'
import { SqliteTokenStore } from './token-store.ts'
import { SqliteUserStore } from './user-store.ts'

/** What the console stores for itself. */
export const sqliteConsoleStores = (connection: Connection): ConsoleStores => ({
  users: new SqliteUserStore(connection),
  sessions: new SqliteSessionStore(connection),
  tokens: new SqliteTokenStore(connection),
  audit: new SqliteAuditLog(connection),
  idempotency: new SqliteIdempotencyStore(connection),
  shares: new SqliteReportShares(connection),
  inboxStates: new SqliteInboxStates(connection),
  notes: new SqliteNotes(connection),
  savedFilters: new SqliteSavedFilters(connection),
})

import { listAccounts } from './account/list-accounts.ts'
import { readAudit } from './audit/read-audit.ts'
import type { ApiEndpoint } from './endpoint.ts'
import { exportEventsEndpoint, exportPersonsEndpoint, exportSubmissionsEndpoint } from './export/exports.ts'
import { rejudgeClicksEndpoint } from './link/rejudge-clicks.ts'
import { erasePersonEndpoint } from './person/erase-person.ts'
import { listPersonsEndpoint } from './person/list-persons.ts'
import { showPersonEndpoint } from './person/show-person.ts'
import { listSharesEndpoint, revokeShareEndpoint, shareReportEndpoint } from './report/share-report.ts'
import { showReport } from './report/show-report.ts'
import { endSession, listSessions } from './session/sessions.ts'
import { listSubmissionsEndpoint } from './submission/list-submissions.ts'
import { releaseSubmissionEndpoint } from './submission/release-submission.ts'
import { showSubmissionEndpoint } from './submission/show-submission.ts'
import { createTokenEndpoint } from './token/create-token.ts'
import { listTokens } from './token/list-tokens.ts'
import { revokeToken } from './token/revoke-token.ts'
import { inviteUserEndpoint } from './user/invite-user.ts'
import { listUsers } from './user/list-users.ts'

/** Every endpoint of the API, in the order of its document. */
export const endpoints: readonly ApiEndpoint[] = [
  listAccounts,
  listSubmissionsEndpoint,
  showSubmissionEndpoint,
  releaseSubmissionEndpoint,
  showReport,
  shareReportEndpoint,
  listSharesEndpoint,
  revokeShareEndpoint,
  rejudgeClicksEndpoint,
  listPersonsEndpoint,
  showPersonEndpoint,
  erasePersonEndpoint,
  exportSubmissionsEndpoint,
  exportEventsEndpoint,
  exportPersonsEndpoint,
  listUsers,
  inviteUserEndpoint,
  listTokens,
  createTokenEndpoint,
  revokeToken,
  listSessions,
  endSession,
  readAudit,
]

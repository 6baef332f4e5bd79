import { listAccountsEndpoint } from './account/list-accounts.ts'
import { removeAccountEndpoint } from './account/remove-account.ts'
import { showAccountEndpoint } from './account/show-account.ts'
import { readAudit } from './audit/read-audit.ts'
import { listBackupsEndpoint, makeBackupsEndpoint } from './box/backups.ts'
import { doctorEndpoint } from './box/doctor.ts'
import {
  pauseDestinationEndpoint,
  resumeDestinationEndpoint,
  rotateDestinationSecret,
  testDestinationEndpoint,
} from './delivery/act-on-destination.ts'
import { listDeliveriesEndpoint } from './delivery/list-deliveries.ts'
import { listDestinationsEndpoint } from './delivery/list-destinations.ts'
import { retryDeliveriesEndpoint, retryDelivery } from './delivery/retry-deliveries.ts'
import { showDeliveryEndpoint } from './delivery/show-delivery.ts'
import { checkAccountDomain, checkBoxDomain } from './domain/check-domain.ts'
import { listAccountDomains, listBoxDomains } from './domain/list-domains.ts'
import type { ApiEndpoint } from './endpoint.ts'
import { exportEventsEndpoint, exportPersonsEndpoint, exportSubmissionsEndpoint } from './export/exports.ts'
import { applyFolderEndpoint, applyNewFolderEndpoint } from './folder/apply-folder.ts'
import { folderZipEndpoint, readSiteTomlEndpoint, writeSiteTomlEndpoint } from './folder/kept-folder.ts'
import { missingContentsEndpoint, missingNewContentsEndpoint } from './folder/missing-contents.ts'
import { listFormsEndpoint } from './form/list-forms.ts'
import { listKeys, revokeKeys, rotateKey, rotateSecretEndpoint } from './key/keys.ts'
import { rejudgeClicksEndpoint } from './link/rejudge-clicks.ts'
import { rewriteMailEndpoint } from './link/rewrite-mail.ts'
import { signLinkEndpoint } from './link/sign-link.ts'
import { listPagesEndpoint } from './page/list-pages.ts'
import { publishPageEndpoint, unpublishPageEndpoint } from './page/move-page.ts'
import { pageHistoryEndpoint } from './page/page-history.ts'
import { previewEndpoint } from './page/preview.ts'
import { rollBackPageEndpoint } from './page/roll-back-page.ts'
import { erasePersonEndpoint } from './person/erase-person.ts'
import { listPersonsEndpoint } from './person/list-persons.ts'
import { showPersonEndpoint } from './person/show-person.ts'
import { listRefusals } from './refusal/list-refusals.ts'
import { listSharesEndpoint, revokeShareEndpoint, shareReportEndpoint } from './report/share-report.ts'
import { showReport } from './report/show-report.ts'
import { endSession, listSessions } from './session/sessions.ts'
import { listSubmissionsEndpoint } from './submission/list-submissions.ts'
import { releaseSubmissionEndpoint } from './submission/release-submission.ts'
import { showSubmissionEndpoint } from './submission/show-submission.ts'
import { addNoteEndpoint, listNotesEndpoint, removeNoteEndpoint } from './submission/submission-notes.ts'
import { setStateEndpoint, showStateEndpoint } from './submission/submission-state.ts'
import { createTokenEndpoint } from './token/create-token.ts'
import { listTokens } from './token/list-tokens.ts'
import { revokeToken } from './token/revoke-token.ts'
import { inviteUserEndpoint } from './user/invite-user.ts'
import { listUsers } from './user/list-users.ts'

/** Every endpoint of the API, in the order of the OpenAPI document. */
export const endpoints: readonly ApiEndpoint[] = [
  listAccountsEndpoint,
  showAccountEndpoint,
  removeAccountEndpoint,
  applyNewFolderEndpoint,
  applyFolderEndpoint,
  missingContentsEndpoint,
  missingNewContentsEndpoint,
  folderZipEndpoint,
  readSiteTomlEndpoint,
  writeSiteTomlEndpoint,
  listPagesEndpoint,
  pageHistoryEndpoint,
  publishPageEndpoint,
  unpublishPageEndpoint,
  rollBackPageEndpoint,
  previewEndpoint,
  signLinkEndpoint,
  rewriteMailEndpoint,
  listFormsEndpoint,
  listSubmissionsEndpoint,
  showSubmissionEndpoint,
  releaseSubmissionEndpoint,
  showStateEndpoint,
  setStateEndpoint,
  listNotesEndpoint,
  addNoteEndpoint,
  removeNoteEndpoint,
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
  listDeliveriesEndpoint,
  showDeliveryEndpoint,
  retryDelivery,
  retryDeliveriesEndpoint,
  listDestinationsEndpoint,
  pauseDestinationEndpoint,
  resumeDestinationEndpoint,
  testDestinationEndpoint,
  rotateDestinationSecret,
  listAccountDomains,
  checkAccountDomain,
  listRefusals,
  listKeys,
  rotateKey,
  revokeKeys,
  listBoxDomains,
  checkBoxDomain,
  rotateSecretEndpoint,
  doctorEndpoint,
  listBackupsEndpoint,
  makeBackupsEndpoint,
  listUsers,
  inviteUserEndpoint,
  listTokens,
  createTokenEndpoint,
  revokeToken,
  listSessions,
  endSession,
  readAudit,
]

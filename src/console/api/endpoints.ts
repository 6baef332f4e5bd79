import { listAccountsEndpoint, removeAccountEndpoint, showAccountEndpoint } from './account/accounts.ts'
import { readAudit } from './audit/read-audit.ts'
import { listBackupsEndpoint, makeBackupsEndpoint } from './box/backups.ts'
import { doctorEndpoint } from './box/doctor.ts'
import {
  listDeliveriesEndpoint,
  retryDeliveriesEndpoint,
  retryDelivery,
  showDeliveryEndpoint,
} from './delivery/deliveries.ts'
import {
  listDestinationsEndpoint,
  pauseDestinationEndpoint,
  resumeDestinationEndpoint,
  rotateDestinationSecret,
  testDestinationEndpoint,
} from './delivery/destinations.ts'
import {
  addDomainSuffixEndpoint,
  listDomainSuffixes,
  listReservedDomains,
  releaseDomainEndpoint,
  removeDomainSuffixEndpoint,
} from './domain/claims.ts'
import { checkAccountDomain, checkBoxDomain, listAccountDomains, listBoxDomains } from './domain/domains.ts'
import type { ApiEndpoint } from './endpoint.ts'
import { exportEventsEndpoint, exportPersonsEndpoint, exportSubmissionsEndpoint } from './export/exports.ts'
import { applyFolderEndpoint, applyNewFolderEndpoint } from './folder/apply-folder.ts'
import { folderZipEndpoint, readSiteTomlEndpoint, writeSiteTomlEndpoint } from './folder/kept-folder.ts'
import { missingContentsEndpoint, missingNewContentsEndpoint } from './folder/missing-contents.ts'
import { listFormsEndpoint } from './form/list-forms.ts'
import { listKeys, revokeKeys, rotateKey, rotateSecretEndpoint } from './key/keys.ts'
import { rejudgeClicksEndpoint, rewriteMailEndpoint, signLinkEndpoint } from './link/links.ts'
import {
  listPagesEndpoint,
  pageHistoryEndpoint,
  publishPageEndpoint,
  rollBackPageEndpoint,
  unpublishPageEndpoint,
} from './page/pages.ts'
import { previewEndpoint } from './page/preview.ts'
import { erasePersonEndpoint, listPersonsEndpoint, showPersonEndpoint } from './person/persons.ts'
import { listRefusals } from './refusal/list-refusals.ts'
import { listSharesEndpoint, revokeShareEndpoint, shareReportEndpoint } from './report/share-report.ts'
import { showReport } from './report/show-report.ts'
import { endOtherSessions, endSession, listSessions } from './session/sessions.ts'
import {
  addNoteEndpoint,
  listNotesEndpoint,
  removeNoteEndpoint,
  setStateEndpoint,
  showStateEndpoint,
} from './submission/submission-work.ts'
import { listSubmissionsEndpoint, releaseSubmissionEndpoint, showSubmissionEndpoint } from './submission/submissions.ts'
import { createTokenEndpoint, listTokens, revokeToken } from './token/tokens.ts'
import { inviteUserEndpoint, listUsers, signUserOut } from './user/users.ts'

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
  listDomainSuffixes,
  addDomainSuffixEndpoint,
  removeDomainSuffixEndpoint,
  listRefusals,
  listKeys,
  rotateKey,
  revokeKeys,
  listBoxDomains,
  checkBoxDomain,
  listReservedDomains,
  releaseDomainEndpoint,
  rotateSecretEndpoint,
  doctorEndpoint,
  listBackupsEndpoint,
  makeBackupsEndpoint,
  listUsers,
  inviteUserEndpoint,
  signUserOut,
  listTokens,
  createTokenEndpoint,
  revokeToken,
  listSessions,
  endSession,
  endOtherSessions,
  readAudit,
]

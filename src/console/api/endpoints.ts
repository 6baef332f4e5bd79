import { listAccountsEndpoint, removeAccountEndpoint, showAccountEndpoint } from './accounts.ts'
import { listAssetsEndpoint } from './assets.ts'
import { readAudit } from './audit.ts'
import {
  doctorEndpoint,
  listBackupsEndpoint,
  makeBackupsEndpoint,
  testAlertsEndpoint,
  verifyBackupsEndpoint,
} from './box.ts'
import {
  destinationActEndpoints,
  listDeliveriesEndpoint,
  listDestinationsEndpoint,
  retryDeliveriesEndpoint,
  retryDelivery,
  showDeliveryEndpoint,
} from './deliveries.ts'
import {
  addDomainSuffixEndpoint,
  checkAccountDomain,
  checkBoxDomain,
  listAccountDomains,
  listBoxDomains,
  listDomainSuffixes,
  listReservedDomains,
  releaseDomainEndpoint,
  removeDomainSuffixEndpoint,
} from './domains.ts'
import type { ApiEndpoint } from './endpoint.ts'
import { exportEventsEndpoint, exportPersonsEndpoint, exportSubmissionsEndpoint } from './exports.ts'
import {
  applyFolderEndpoint,
  applyNewFolderEndpoint,
  folderZipEndpoint,
  readSiteTomlEndpoint,
  writeSiteTomlEndpoint,
} from './folder/folders.ts'
import { missingContentsEndpoint, missingNewContentsEndpoint } from './folder/manifest.ts'
import { listFormsEndpoint } from './forms.ts'
import { listKeys, revokeKeysEndpoint, rotateKeyEndpoint, rotateSecretEndpoint } from './keys.ts'
import { rejudgeClicksEndpoint, rewriteMailEndpoint, signLinkEndpoint } from './links.ts'
import {
  listPagesEndpoint,
  pageHistoryEndpoint,
  previewEndpoint,
  promotePageEndpoint,
  publishPageEndpoint,
  rollBackPageEndpoint,
  unpublishPageEndpoint,
} from './pages.ts'
import { erasePersonEndpoint, eraseSenderEndpoint, listPersonsEndpoint, showPersonEndpoint } from './persons.ts'
import { listRefusals } from './refusals.ts'
import { listSharesEndpoint, revokeShareEndpoint, shareReportEndpoint, showReport } from './reports.ts'
import { endOtherSessionsEndpoint, endSessionEndpoint, listSessions } from './sessions.ts'
import {
  addNoteEndpoint,
  bulkEndpoint,
  listNotesEndpoint,
  listSubmissionsEndpoint,
  refuseSubmissionEndpoint,
  releaseSubmissionEndpoint,
  removeNoteEndpoint,
  removeSubmissionEndpoint,
  setStateEndpoint,
  showStateEndpoint,
  showSubmissionEndpoint,
  submissionFileEndpoint,
} from './submissions.ts'
import { createTokenEndpoint, listTokens, revokeTokenEndpoint } from './tokens.ts'
import {
  changeRoleEndpoint,
  inviteColleagueEndpoint,
  inviteUserEndpoint,
  listColleagues,
  listUsers,
  removeColleagueEndpoint,
  removeUserEndpoint,
  showPersonalEndpoint,
  signUserOutEndpoint,
} from './users.ts'

/** Endpoints of one subject: a tag of the OpenAPI document. */
export interface EndpointGroup {
  name: string
  description: string
  endpoints: readonly ApiEndpoint[]
}

/** Every endpoint of the API, in the order of the OpenAPI document. */
export const endpointGroups: readonly EndpointGroup[] = [
  {
    name: 'accounts',
    description: 'Accounts, their settings and what they hold',
    endpoints: [listAccountsEndpoint, showAccountEndpoint, removeAccountEndpoint],
  },
  {
    name: 'folders',
    description: 'Site folders: publish them, read back what was published',
    endpoints: [
      applyNewFolderEndpoint,
      applyFolderEndpoint,
      missingContentsEndpoint,
      missingNewContentsEndpoint,
      folderZipEndpoint,
      readSiteTomlEndpoint,
      writeSiteTomlEndpoint,
    ],
  },
  {
    name: 'pages',
    description: 'Landing pages, their versions and previews',
    endpoints: [
      listPagesEndpoint,
      pageHistoryEndpoint,
      publishPageEndpoint,
      unpublishPageEndpoint,
      rollBackPageEndpoint,
      promotePageEndpoint,
      previewEndpoint,
    ],
  },
  {
    name: 'assets',
    description: 'Stylesheets, scripts, fonts, sound and video of pages',
    endpoints: [listAssetsEndpoint],
  },
  {
    name: 'links',
    description: 'Click links in email, and the verdicts on clicks',
    endpoints: [signLinkEndpoint, rewriteMailEndpoint, rejudgeClicksEndpoint],
  },
  {
    name: 'forms',
    description: 'Registered forms',
    endpoints: [listFormsEndpoint],
  },
  {
    name: 'submissions',
    description: 'Submissions, with their states and notes',
    endpoints: [
      listSubmissionsEndpoint,
      showSubmissionEndpoint,
      submissionFileEndpoint,
      releaseSubmissionEndpoint,
      refuseSubmissionEndpoint,
      removeSubmissionEndpoint,
      bulkEndpoint,
      showStateEndpoint,
      setStateEndpoint,
      listNotesEndpoint,
      addNoteEndpoint,
      removeNoteEndpoint,
    ],
  },
  {
    name: 'reports',
    description: 'Figures of a period, and links that show them to anybody',
    endpoints: [showReport, shareReportEndpoint, listSharesEndpoint, revokeShareEndpoint],
  },
  {
    name: 'persons',
    description: 'Persons: find, read, erase',
    endpoints: [listPersonsEndpoint, showPersonEndpoint, erasePersonEndpoint, eraseSenderEndpoint],
  },
  {
    name: 'exports',
    description: 'All records of a kind, for other programs',
    endpoints: [exportSubmissionsEndpoint, exportEventsEndpoint, exportPersonsEndpoint],
  },
  {
    name: 'deliveries',
    description: 'Where submissions and reports are sent, and what became of it',
    endpoints: [
      listDeliveriesEndpoint,
      showDeliveryEndpoint,
      retryDelivery,
      retryDeliveriesEndpoint,
      listDestinationsEndpoint,
      ...destinationActEndpoints,
    ],
  },
  {
    name: 'domains',
    description: 'Names, their certificates, and who may connect them',
    endpoints: [
      listAccountDomains,
      checkAccountDomain,
      listDomainSuffixes,
      addDomainSuffixEndpoint,
      removeDomainSuffixEndpoint,
      listBoxDomains,
      checkBoxDomain,
      listReservedDomains,
      releaseDomainEndpoint,
    ],
  },
  {
    name: 'refusals',
    description: 'Why requests were refused',
    endpoints: [listRefusals],
  },
  {
    name: 'keys',
    description: 'Tracking keys, and the keys that sign',
    endpoints: [listKeys, rotateKeyEndpoint, revokeKeysEndpoint, rotateSecretEndpoint],
  },
  {
    name: 'health',
    description: 'Whether the box is well',
    endpoints: [doctorEndpoint, testAlertsEndpoint],
  },
  {
    name: 'backups',
    description: 'Backups at the targets',
    endpoints: [listBackupsEndpoint, makeBackupsEndpoint, verifyBackupsEndpoint],
  },
  {
    name: 'users',
    description: 'Users of the console, and invitations',
    endpoints: [
      listUsers,
      inviteUserEndpoint,
      removeUserEndpoint,
      signUserOutEndpoint,
      listColleagues,
      inviteColleagueEndpoint,
      changeRoleEndpoint,
      removeColleagueEndpoint,
      showPersonalEndpoint,
    ],
  },
  {
    name: 'tokens',
    description: 'API tokens',
    endpoints: [createTokenEndpoint, listTokens, revokeTokenEndpoint],
  },
  {
    name: 'sessions',
    description: "The caller's own sessions",
    endpoints: [listSessions, endSessionEndpoint, endOtherSessionsEndpoint],
  },
  {
    name: 'audit',
    description: 'Who did what',
    endpoints: [readAudit],
  },
]

import { auditPage } from './box/audit-page.ts'
import { healthPage } from './box/health-page.ts'
import { overviewPage } from './box/overview-page.ts'
import { tokensPage } from './box/tokens-page.ts'
import { usersPage } from './box/users-page.ts'
import { deliveriesPage } from './delivery/deliveries-page.ts'
import { deliveryPage } from './delivery/delivery-page.ts'
import { domainsPage } from './domain/domains-page.ts'
import { invitationLinkPage, invitationPage, invitationPasskeyOptions } from './entry/invitation-page.ts'
import { passkeySignIn, passkeySignInOptions, signInPage, signOutPage } from './entry/sign-in-page.ts'
import { keysPage } from './key/keys-page.ts'
import { authenticatorPage, passwordPage, recoveryCodesPage } from './me/credential-pages.ts'
import { mePage, newPasskey, newPasskeyOptions } from './me/me-page.ts'
import { proveByPasskey, provePage } from './me/prove-page.ts'
import type { Page } from './page.ts'
import { erasePage, personPage } from './person/person-page.ts'
import { personsPage } from './person/persons-page.ts'
import { publishNewPage, publishPage } from './publish/publish-page.ts'
import { settingsPage } from './publish/settings-page.ts'
import { refusalsPage } from './refusal/refusals-page.ts'
import { chartFilePage, reportPage } from './report/report-page.ts'
import { sharedReportPage } from './report/shared-report-page.ts'
import type { OpenPage } from './requests.ts'
import { accountPage, removePage } from './site/account-page.ts'
import { formsPage } from './site/forms-page.ts'
import { linksPage } from './site/links-page.ts'
import { pagePage } from './site/page-page.ts'
import { pagesPage } from './site/pages-page.ts'
import { filtersPage } from './submission/inbox-filters.ts'
import { inboxPage } from './submission/inbox-page.ts'
import { livePage } from './submission/live-page.ts'
import { shownPage, submissionPage } from './submission/submission-page.ts'

export const pages: readonly Page[] = [
  overviewPage,
  healthPage,
  usersPage,
  tokensPage,
  auditPage,
  mePage,
  passwordPage,
  authenticatorPage,
  recoveryCodesPage,
  provePage,
  inboxPage,
  filtersPage,
  livePage,
  submissionPage,
  personsPage,
  personPage,
  erasePage,
  shownPage,
  reportPage,
  chartFilePage,
  deliveriesPage,
  deliveryPage,
  domainsPage,
  refusalsPage,
  keysPage,
  pagesPage,
  pagePage,
  formsPage,
  linksPage,
  accountPage,
  removePage,
  publishPage,
  settingsPage,
  publishNewPage,
]

export const openPages: readonly OpenPage[] = [
  signInPage,
  passkeySignInOptions,
  passkeySignIn,
  signOutPage,
  invitationLinkPage,
  invitationPage,
  invitationPasskeyOptions,
  sharedReportPage,
  proveByPasskey,
  newPasskeyOptions,
  newPasskey,
]

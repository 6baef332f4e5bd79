import { overviewPage } from './box/overview-page.ts'
import { invitationPage } from './entry/invitation-page.ts'
import type { OpenPage } from './entry/open-page.ts'
import { signInPage } from './entry/sign-in-page.ts'
import { signOutPage } from './entry/sign-out-page.ts'
import type { Page } from './page.ts'
import { inboxPage } from './submission/inbox-page.ts'
import { submissionPage } from './submission/submission-page.ts'

/** Every page behind the sign-in. */
export const pages: readonly Page[] = [overviewPage, inboxPage, submissionPage]

/** Every page before it. */
export const openPages: readonly OpenPage[] = [signInPage, signOutPage, invitationPage]

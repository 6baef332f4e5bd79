import type { StoredAccount } from '../../account/account.ts'
import type { AccountStore } from '../../account/account-store.ts'
import type { Locale } from '../../language/locale.ts'
import type { Caller, UserCaller } from '../access/caller.ts'
import { hasPart, isStaff, permissionOn } from '../access/permission.ts'
import type { NavigationGroup, NavigationLink, OtherAccounts } from '../look/shell.ts'
import { auditPage } from './box/audit-page.ts'
import { healthPage } from './box/health-page.ts'
import { overviewPage } from './box/overview-page.ts'
import { tokensPage } from './box/tokens-page.ts'
import { deliveriesPage } from './delivery/deliveries-page.ts'
import { deliveryPage } from './delivery/delivery-page.ts'
import { domainsPage } from './domain/domains-page.ts'
import { invitationLinkPage, invitationPage, invitationPasskeyOptions } from './entry/invitation-page.ts'
import { passkeySignIn, passkeySignInOptions, signInPage, signOutPage } from './entry/sign-in-page.ts'
import { authenticatorPage, passwordPage, recoveryCodesPage } from './me/credential-pages.ts'
import { mePage, newPasskey, newPasskeyOptions } from './me/me-page.ts'
import { proveByPasskey, provePage } from './me/prove-page.ts'
import { linkGroups, type Page } from './page.ts'
import type { OpenPage } from './page-http.ts'
import { isCustomer } from './page-locale.ts'
import { personPage, personsPage } from './person/person-page.ts'
import { publishNewPage, publishPage } from './publish/publish-page.ts'
import { refusalsPage } from './refusal/refusals-page.ts'
import { chartFilePage, reportPage } from './report/report-page.ts'
import { sharedReportPage } from './report/shares.ts'
import { removePage } from './settings/remove-page.ts'
import { accountAddress, keysAddress, settingsPage } from './settings/settings-page.ts'
import { assetsPage } from './site/assets-page.ts'
import { formPage, formsPage } from './site/forms-page.ts'
import { linksPage } from './site/links-page.ts'
import { pagePage, pagesPage } from './site/page-page.ts'
import { helpPage } from './start/help-page.ts'
import { erasePage, eraseSenderPage } from './submission/erase-pages.ts'
import { inboxCsv } from './submission/inbox-csv.ts'
import { filtersPage } from './submission/inbox-filters.ts'
import { inboxPage, livePage } from './submission/inbox-page.ts'
import { removeLeadsPage } from './submission/remove-leads-page.ts'
import { filePage, shownPage, submissionPage } from './submission/submission-page.ts'
import { colleaguesPage } from './user/colleagues-page.ts'
import { usersPage } from './user/users-page.ts'

export const pages: readonly Page[] = [
  overviewPage,
  healthPage,
  usersPage,
  tokensPage,
  auditPage,
  helpPage,
  mePage,
  passwordPage,
  authenticatorPage,
  recoveryCodesPage,
  provePage,
  inboxPage,
  filtersPage,
  livePage,
  inboxCsv,
  removeLeadsPage,
  eraseSenderPage,
  submissionPage,
  personsPage,
  personPage,
  erasePage,
  shownPage,
  filePage,
  reportPage,
  chartFilePage,
  deliveriesPage,
  deliveryPage,
  domainsPage,
  refusalsPage,
  pagesPage,
  pagePage,
  assetsPage,
  formsPage,
  formPage,
  linksPage,
  settingsPage,
  accountAddress,
  keysAddress,
  colleaguesPage,
  removePage,
  publishPage,
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

/** The path whose link is the current one while a page is shown: its own, or that of the nearest page above it. */
export function linkedPath({ within, path }: Page): string {
  const above = pages.filter(({ link, path: place }) => link !== undefined && `${path}/`.startsWith(`${place}/`))
  return within ?? above.toSorted((one, other) => other.path.length - one.path.length)[0]?.path ?? path
}

/**
 * The caller's links to the pages of an account, or without an account to the pages of the box. Pages that the caller may not
 * open are left out.
 */
export function navigationOf(caller: UserCaller, account: StoredAccount | null, { texts }: Locale): NavigationGroup[] {
  if (account === null ? isCustomer(caller) : !isStaff(account.id, caller)) return navigationOfCustomer(account, texts)
  const linked = pages.filter(
    (page) => mayOpen(page, caller, account) || (waysOut.includes(page) && mayOpen(page, caller, null)),
  )
  return linkGroups.flatMap((name) => {
    const links = linked.flatMap((page) => (page.link?.group === name ? [linkTo(page.path, page.link, account)] : []))
    return links.length === 0 ? [] : [{ name, links }]
  })
}

/** Customers begin with the report. */
function navigationOfCustomer(account: StoredAccount | null, { console: words }: Locale['texts']): NavigationGroup[] {
  const first =
    account === null ? [{ href: '/', text: words.accounts, icon: 'grid' as const }] : linksOfCustomer(account, words)
  const last = [
    { href: helpPage.path, text: words.help, icon: 'question' as const },
    { href: mePage.path, text: words.signIn, icon: 'lock' as const },
  ]
  return [{ name: account?.settings.name ?? 'Capture', links: [...first, ...last] }]
}

const linksOfCustomer = ({ handle }: StoredAccount, words: Locale['texts']['console']): NavigationLink[] => [
  { href: `/a/${handle}/report`, text: words.report, icon: 'bars' },
  { href: `/a/${handle}`, text: words.leads, icon: 'tray' },
]

function mayOpen(page: Page, caller: UserCaller, account: StoredAccount | null): boolean {
  if ('for' in page) return account === null && (page.for === 'signed_in' || caller.isOwner)
  if (account === null) return false
  const permission = permissionOn(account.id, caller, page)
  return permission === 'whole' || permission === 'masked'
}

/** From an account's pages; a phone has no other way than the menu. */
const waysOut: readonly Page[] = [overviewPage, healthPage, mePage]

const linkTo = (path: string, link: Omit<NavigationLink, 'href'>, account: StoredAccount | null): NavigationLink => ({
  ...link,
  href: path.replace(':account', account?.handle ?? ''),
})

/** With more accounts, the menu only links to the overview, which has a search. */
const shownMax = 10

/** The caller's other accounts, for the menu of an account's page. */
export async function otherAccounts(
  accounts: Pick<AccountStore, 'list' | 'find'>,
  { caller, account }: { caller: Caller; account: StoredAccount },
): Promise<OtherAccounts> {
  const others = (await accounts.list()).filter(({ id }) => id !== account.id && hasPart(caller, id))
  if (others.length > shownMax) return { number: others.length, shown: [] }
  const found = await Promise.all(others.map(({ handle }) => accounts.find(handle)))
  return { number: others.length, shown: found.filter((other) => other !== null) }
}

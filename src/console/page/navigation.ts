import type { StoredAccount } from '../../account/account.ts'
import type { AccountStore } from '../../account/account-store.ts'
import type { Caller, UserCaller } from '../access/caller.ts'
import { hasPart, permissionOn } from '../access/permission.ts'
import type { NavigationGroup, NavigationLink, OtherAccounts } from '../look/shell.ts'
import { linkGroups, type Page } from './page.ts'

/**
 * The caller's links to the pages of an account, or without an account to the pages of the box. Pages that the caller may not
 * open are left out.
 */
export function navigationOf(
  pages: readonly Page[],
  { caller, account }: { caller: UserCaller; account: StoredAccount | null },
): NavigationGroup[] {
  const linked = pages.filter((page) => mayOpen(page, caller, account))
  return linkGroups.flatMap((name) => {
    const links = linked.flatMap((page) => (page.link?.group === name ? [linkTo(page, page.link.text, account)] : []))
    return links.length === 0 ? [] : [{ name, links }]
  })
}

function mayOpen(page: Page, caller: UserCaller, account: StoredAccount | null): boolean {
  if (page.of === 'box') return account === null && (page.for === 'signed_in' || caller.isOwner)
  if (account === null) return false
  const permission = permissionOn(account.id, caller, page)
  return permission === 'whole' || permission === 'masked'
}

const linkTo = ({ path }: Page, text: string, account: StoredAccount | null): NavigationLink => ({
  href: path.replace(':account', account?.handle ?? ''),
  text,
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

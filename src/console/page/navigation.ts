import type { StoredAccount } from '../../account/account.ts'
import type { UserCaller } from '../access/caller.ts'
import { permissionOn } from '../access/permission.ts'
import type { NavigationGroup, NavigationLink } from '../look/shell.ts'
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

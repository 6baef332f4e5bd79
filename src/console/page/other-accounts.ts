import type { StoredAccount } from '../../account/account.ts'
import type { AccountStore } from '../../account/account-store.ts'
import type { Caller } from '../access/caller.ts'
import { hasPart } from '../access/permission.ts'
import type { OtherAccounts } from '../look/account-crumb.ts'

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

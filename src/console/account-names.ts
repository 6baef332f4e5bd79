import type { AccountStore, AccountSummary } from '../account/account-store.ts'

type Accounts = Pick<AccountStore, 'list'>
/** `null`: there is no such account. */
type ById = (accountId: string) => string | null

/** For addresses and programs. */
export const handlesById = (accounts: Accounts): Promise<ById> => byId(accounts, ({ handle }) => handle)

/** For people. */
export const namesById = (accounts: Accounts): Promise<ById> => byId(accounts, ({ name }) => name)

async function byId(accounts: Accounts, textOf: (account: AccountSummary) => string): Promise<ById> {
  const texts = new Map((await accounts.list()).map((account) => [account.id, textOf(account)]))
  return (accountId) => texts.get(accountId) ?? null
}

import type { AccountStore } from '../account/account-store.ts'

/** Finds the handle of an account by its id; `null`: there is no such account. */
export async function handlesById(accounts: Pick<AccountStore, 'list'>): Promise<(accountId: string) => string | null> {
  const handles = new Map((await accounts.list()).map(({ id, handle }) => [id, handle]))
  return (accountId) => handles.get(accountId) ?? null
}

import type { AccountStore } from '../../account/account-store.ts'

/** An account's name by its handle, for sentences that people read; the handle of an account that is gone. */
export type NameOf = (handle: string) => string

export async function namesByHandle(accounts: Pick<AccountStore, 'list'>): Promise<NameOf> {
  const names = new Map((await accounts.list()).map(({ handle, name }) => [handle, name]))
  return (handle) => names.get(handle) ?? handle
}

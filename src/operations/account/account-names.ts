import type { AccountSummary } from '../../account/account-store.ts'

/** An account's name by its handle, for sentences that people read; the handle of an account that is gone. */
export type NameOf = (handle: string) => string

/** What accounts are called. `null`: there is no such account. */
export interface AccountNames {
  /** For addresses and programs. */
  handleById(accountId: string): string | null
  /** For people. */
  nameById(accountId: string): string | null
  nameOf: NameOf
}

/** Accounts may share a name: then each has its handle behind it. */
export function accountNames(listed: readonly Pick<AccountSummary, 'id' | 'handle' | 'name'>[]): AccountNames {
  const shared = Map.groupBy(listed, ({ name }) => name)
  const called = listed.map(({ id, handle, name }) => ({
    ...{ id, handle },
    name: (shared.get(name)?.length ?? 0) > 1 ? `${name} (${handle})` : name,
  }))
  const byId = new Map(called.map((account) => [account.id, account]))
  const byHandle = new Map(called.map((account) => [account.handle, account]))
  return {
    handleById: (accountId) => byId.get(accountId)?.handle ?? null,
    nameById: (accountId) => byId.get(accountId)?.name ?? null,
    nameOf: (handle) => byHandle.get(handle)?.name ?? handle,
  }
}

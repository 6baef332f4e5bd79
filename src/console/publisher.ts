import type { Publisher } from '../account/publisher.ts'
import type { Caller } from './access/caller.ts'
import { connectsOf, permissionOn } from './access/permission.ts'

export const publisherOf = (caller: Caller): Publisher =>
  caller.kind === 'user' ? { via: 'console', name: caller.email } : { via: 'api', name: caller.name }

/** The same with what the caller may publish. @param accountId `null`: a new account */
export const publishingAs = (caller: Caller, accountId: string | null) => ({
  by: publisherOf(caller),
  connects: connectsOf(caller),
  // A new account has no records yet.
  mayDecideOnData: accountId === null || permissionOn(accountId, caller, { scope: 'admin' }) === 'whole',
})

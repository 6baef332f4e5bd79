import { permissionOn } from '../access/permission.ts'
import type { Scope } from '../access/scope.ts'
import type { AccountPageCall } from './page.ts'

/** Whether who looks at a page of an account may do what the scope covers. */
export const may = ({ account, caller }: Pick<AccountPageCall, 'account' | 'caller'>, scope: Scope): boolean =>
  permissionOn(account.id, caller, { scope, clients: 'nothing' }) === 'whole'

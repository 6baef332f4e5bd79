import type { Scope } from '../../account/scope.ts'
import { permissionOn } from '../access/permission.ts'
import type { AccountPageCall } from './page.ts'

export const may = ({ account, caller }: Pick<AccountPageCall, 'account' | 'caller'>, scope: Scope): boolean =>
  permissionOn(account.id, caller, { scope }) === 'whole'

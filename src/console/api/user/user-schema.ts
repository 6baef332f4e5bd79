import { accountRoles } from '../../access/role.ts'
import { oneOf } from '../schema.ts'

export const role = oneOf(accountRoles)

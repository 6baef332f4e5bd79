import { Type } from '@sinclair/typebox'
import { accountRoles } from '../../access/role.ts'

export const roleSchema = Type.Union(accountRoles.map((role) => Type.Literal(role)))

export const userSchema = Type.Object({
  id: Type.String(),
  email: Type.String(),
  owner: Type.Boolean(),
  roles: Type.Array(Type.Object({ account: Type.String(), role: roleSchema, seesPersonalFields: Type.Boolean() })),
  createdAt: Type.String(),
  lastSignInAt: Type.Union([Type.String(), Type.Null()]),
})

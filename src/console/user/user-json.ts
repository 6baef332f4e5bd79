import { type Static, Type } from '@sinclair/typebox'
import { flag, oneOf, text, textOrNull } from '../../lib/schema.ts'
import { instant } from '../../report/record.ts'
import { accountRoles } from '../access/role.ts'
import type { Invited, User } from './user.ts'

/** A user as `user list --json` and the API show it. */
export const userSchema = Type.Object({
  id: text,
  email: text,
  owner: flag,
  roles: Type.Array(Type.Object({ account: text, role: oneOf(accountRoles), seesPersonalFields: flag })),
  createdAt: text,
  lastSignInAt: textOrNull,
})

export type UserJson = Static<typeof userSchema>

/** @param handleOf an account's handle; `null`: it is gone */
export const userJson = (user: User, handleOf: (accountId: string) => string | null): UserJson => ({
  id: user.id,
  email: user.email,
  owner: user.isOwner,
  roles: [...user.roles].flatMap(([accountId, { role, seesPersonalFields }]) => {
    const account = handleOf(accountId)
    return account === null ? [] : [{ account, role, seesPersonalFields }]
  }),
  createdAt: instant(user.createdAt),
  lastSignInAt: user.lastSignInAt === null ? null : instant(user.lastSignInAt),
})

/** The access that an invitation gives, in words: `owner` or `editor of acme`. @param handleOf an account's handle; `null`: it is gone */
export const invitedText = (invited: Invited, handleOf: (accountId: string) => string | null): string =>
  invited.isOwner ? 'owner' : `${invited.role} of ${handleOf(invited.accountId) ?? 'a removed account'}`

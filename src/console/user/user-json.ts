import type { Invited, User } from './user.ts'

/** A user as `user list --json` and the API show it. @param handleOf an account's handle; `null`: it is gone */
export const userJson = (user: User, handleOf: (accountId: string) => string | null) => ({
  id: user.id,
  email: user.email,
  owner: user.isOwner,
  roles: [...user.roles].flatMap(([accountId, { role, seesPersonalFields }]) => {
    const account = handleOf(accountId)
    return account === null ? [] : [{ account, role, seesPersonalFields }]
  }),
  createdAt: new Date(user.createdAt).toISOString(),
  lastSignInAt: user.lastSignInAt === null ? null : new Date(user.lastSignInAt).toISOString(),
})

export type UserJson = ReturnType<typeof userJson>

/** The access that an invitation gives, in words: `owner` or `editor of acme`. @param handleOf an account's handle; `null`: it is gone */
export const invitedText = (invited: Invited, handleOf: (accountId: string) => string | null): string =>
  invited.isOwner ? 'owner' : `${invited.role} of ${handleOf(invited.accountId) ?? 'a removed account'}`

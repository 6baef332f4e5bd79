import { type Scope, scopes } from './scope.ts'

/** What a user may be to one account. The owner of the box is no role of an account. */
export const accountRoles = ['admin', 'editor', 'viewer', 'client'] as const
export type AccountRole = (typeof accountRoles)[number]

/** The scopes of each role (contract-box section 15). */
const scopesOfRole: Record<AccountRole, readonly Scope[]> = {
  admin: scopes,
  editor: ['read', 'publish', 'release'],
  viewer: ['read'],
  // Clients read less than a viewer does: see `ClientView`.
  client: ['read'],
}

export const roleAllows = (role: AccountRole, scope: Scope): boolean => scopesOfRole[role].includes(scope)

/**
 * What a client is shown of an answer that others read whole. `masked`: personal fields are blanked out, and no search or
 * order looks at them. `nothing`: 403.
 */
export type ClientView = 'whole' | 'masked' | 'nothing'

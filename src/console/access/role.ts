import { type Scope, scopes } from '../../account/scope.ts'

/** A user's role in one account. The owner of the box needs no role in an account. */
export const accountRoles = ['admin', 'editor', 'viewer', 'client'] as const
export type AccountRole = (typeof accountRoles)[number]

/** The scopes of each role (docs/console.md). */
export const scopesOfRole: Record<AccountRole, readonly Scope[]> = {
  admin: scopes,
  editor: ['read', 'publish', 'release'],
  viewer: ['read'],
  // Clients read less than a viewer does: see `ClientView`.
  client: ['read'],
}

export const roleAllows = (role: AccountRole, scope: Scope): boolean => scopesOfRole[role].includes(scope)

/** What a client gets of an answer that others read completely. `masked`: personal fields are masked, and searches ignore them. */
export type ClientView = 'whole' | 'masked'

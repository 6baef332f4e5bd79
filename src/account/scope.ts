/**
 * What a token may do with an account (docs/api.md). Scopes do not nest: `admin` alone reads nothing.
 * `read`: every GET; `publish`: apply, pages, links, previews; `release`: releases; `erase`: persons; `admin`: the rest.
 */
export const scopes = ['read', 'publish', 'release', 'erase', 'admin'] as const
export type Scope = (typeof scopes)[number]

/** What a user may do by role: a scope, or a part of one. `remove`: of `erase`, submissions alone, never a person. */
export type Right = Scope | 'remove'

export const scopeOf = (right: Right): Scope => (right === 'remove' ? 'erase' : right)

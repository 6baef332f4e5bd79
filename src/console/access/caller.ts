import { type Right, type Scope, scopes } from '../../account/scope.ts'
import type { Proof } from '../session/session.ts'

/** A user who has signed in. */
export interface UserCaller {
  kind: 'user'
  userId: string
  /** The user's name in the audit log. */
  email: string
  isOwner: boolean
  /** By account id. */
  roles: ReadonlyMap<string, UserRole>
  sessionId: string
  /** When the user last confirmed their identity, epoch milliseconds. */
  provedAt: number
  provedBy: Proof
}

/** A user's role in one account. */
export interface UserRole {
  role: AccountRole
  /** For a client: whether the account shows personal fields of submissions. */
  seesPersonalFields: boolean
}

/** A program with an API token. */
export interface TokenCaller {
  kind: 'token'
  tokenId: string
  name: string
  /** `null`: a token of the box, valid for every account. */
  accountId: string | null
  scopes: ReadonlySet<Scope>
  expiresAt: number
}

/** The sender of a request. */
export type Caller = UserCaller | TokenCaller

/** Who made a token, an invitation or a link. Both `null`: a command on the box. */
export interface Maker {
  makerUserId: string | null
  makerTokenId: string | null
}

/** @param caller `null`: a command on the box */
export const makerOf = (caller: Caller | null): Maker => ({
  makerUserId: caller?.kind === 'user' ? caller.userId : null,
  makerTokenId: caller?.kind === 'token' ? caller.tokenId : null,
})

/** What the caller makes lasts no longer, epoch milliseconds. */
export const lastsUntil = (caller: Caller | null): number =>
  caller?.kind === 'token' ? caller.expiresAt : Number.POSITIVE_INFINITY

/** The same for each call of one user, whatever their session, or of one token. */
export const callerKey = (caller: Caller): string =>
  caller.kind === 'user' ? `user ${caller.userId}` : `token ${caller.tokenId}`

/** A user's role in one account. The owner of the box needs no role in an account. */
export const accountRoles = ['admin', 'editor', 'sales', 'viewer', 'client'] as const
export type AccountRole = (typeof accountRoles)[number]

/** The one table of what each role may do (docs/console.md). Acts, endpoints and pages say which right they need. */
export const rightsOfRole: Record<AccountRole, readonly Right[]> = {
  admin: [...scopes, 'remove'],
  editor: ['read', 'publish', 'release'],
  sales: ['read', 'release', 'remove'],
  viewer: ['read'],
  // Clients read less than a viewer does: see `ClientView`.
  client: ['read'],
}

/** What a client gets of an answer that others read completely. `masked`: personal fields are masked, and searches ignore them. */
export type ClientView = 'whole' | 'masked'

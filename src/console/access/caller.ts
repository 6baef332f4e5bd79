import type { Proof } from '../session/session.ts'
import type { AccountRole } from './role.ts'
import type { Scope } from './scope.ts'

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
  /** For a client: whether personal fields of submissions are shown. */
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
}

/** The sender of a request. */
export type Caller = UserCaller | TokenCaller

/** The same for each call of one user, whatever their session, or of one token. */
export const callerKey = (caller: Caller): string =>
  caller.kind === 'user' ? `user ${caller.userId}` : `token ${caller.tokenId}`

import type { AccountRole } from './role.ts'
import type { Scope } from './scope.ts'

/** A user who has signed in. */
export interface UserCaller {
  kind: 'user'
  userId: string
  /** What the audit log names the user by. */
  email: string
  isOwner: boolean
  /** By account id. */
  roles: ReadonlyMap<string, UserRole>
  sessionId: string
  /** When the user last proved who they are, epoch milliseconds. */
  provedAt: number
}

/** A user's part in one account. */
export interface UserRole {
  role: AccountRole
  /** Of a client: whether personal fields of submissions are shown. */
  seesPersonalFields: boolean
}

/** A program with an API token. */
export interface TokenCaller {
  kind: 'token'
  tokenId: string
  name: string
  /** `null`: a token of the box, good for every account. */
  accountId: string | null
  scopes: ReadonlySet<Scope>
}

/** Who calls. */
export type Caller = UserCaller | TokenCaller

/** The same for each call of one user, whatever their session, or of one token. */
export const callerKey = (caller: Caller): string =>
  caller.kind === 'user' ? `user ${caller.userId}` : `token ${caller.tokenId}`

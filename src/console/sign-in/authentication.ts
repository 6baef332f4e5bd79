import type { Clock } from '../../lib/clock.ts'
import { type AttemptBudgets, callBudget, wrongTokenBudget } from '../access/attempts.ts'
import type { Caller, TokenCaller, UserCaller } from '../access/caller.ts'
import { isOver, type SessionStore, sessionHash, sessionSecret } from '../session/session.ts'
import { isUsable, type TokenStore, tokenHash } from '../token/api-token.ts'
import type { UserStore } from '../user/user.ts'

interface AuthenticationParts {
  users: Pick<UserStore, 'find'>
  sessions: SessionStore
  tokens: TokenStore
  cookieMark: string
  budgets: AttemptBudgets
  clock: Pick<Clock, 'now'>
}

/** The parts of a request that tell who sent it. */
interface Presented {
  headers: Headers
  /** Of the client. */
  address: string
  secure: boolean
  /** `false`: the browser sent the request by itself, which does not count as use of the session. */
  isUse?: boolean
}

/**
 * `nobody`: there is neither token nor session; `wrong_token`: the token is wrong, expired or revoked. The answer is the same
 * (docs/api.md). `tokenId`: of a token that exists.
 */
type Authenticated =
  | { caller: Caller }
  | { refused: 'nobody' }
  | { refused: 'wrong_token'; tokenId: string | null }
  | { refused: 'too_many'; tokenId: string | null; retryAfterSeconds: number }

/** A use is recorded once a minute, so that reads do not cause a write each. */
const noteUseMs = 60_000

/** The sender of the request, by its `Authorization` header (RFC 6750 section 2.1) or else by its session. */
export async function authenticate(parts: AuthenticationParts, presented: Presented): Promise<Authenticated> {
  const authorization = presented.headers.get('authorization')
  if (authorization !== null) return byToken(parts, authorization, presented.address)
  const caller = await bySession(parts, presented)
  return caller === null ? { refused: 'nobody' } : { caller }
}

async function byToken(parts: AuthenticationParts, authorization: string, address: string): Promise<Authenticated> {
  const [, text = ''] = /^Bearer +([^ ]+)$/i.exec(authorization) ?? []
  const hash = tokenHash(text)
  const token = hash === null ? null : await parts.tokens.find(hash)
  const now = parts.clock.now()
  if (token === null || !isUsable(token, now)) {
    const retryAfterSeconds = await parts.budgets.take([wrongTokenBudget(address)])
    const tokenId = token?.id ?? null
    return retryAfterSeconds > 0
      ? { refused: 'too_many', tokenId, retryAfterSeconds }
      : { refused: 'wrong_token', tokenId }
  }
  const retryAfterSeconds = await parts.budgets.take([callBudget(token.id)])
  if (retryAfterSeconds > 0) return { refused: 'too_many', tokenId: token.id, retryAfterSeconds }
  if (now - (token.lastUsedAt ?? 0) >= noteUseMs) await parts.tokens.noteUse(token.id, now)
  const { id: tokenId, name, accountId, scopes, expiresAt } = token
  const caller: TokenCaller = { kind: 'token', tokenId, name, accountId, scopes: new Set(scopes), expiresAt }
  return { caller }
}

async function bySession(
  parts: AuthenticationParts,
  { headers, secure, isUse = true }: Presented,
): Promise<UserCaller | null> {
  const secret = sessionSecret(headers.get('cookie'), { secure, cookieMark: parts.cookieMark })
  const session = secret === null ? null : await parts.sessions.find(sessionHash(secret))
  const now = parts.clock.now()
  if (session === null || isOver(session, now)) return null
  const user = await parts.users.find(session.userId)
  if (user === null) return null
  if (isUse && now - session.lastUsedAt >= noteUseMs) await parts.sessions.noteUse(session.id, now)
  const { id: userId, email, isOwner, roles } = user
  const { id: sessionId, provedAt, provedBy } = session
  return { kind: 'user', userId, email, isOwner, roles, sessionId, provedAt, provedBy }
}

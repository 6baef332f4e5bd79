import { type Scope, scopes } from '../../account/scope.ts'
import type { Clock } from '../../lib/clock.ts'
import { newId } from '../../lib/id.ts'
import { NotAllowed, OperatorError } from '../../lib/operator-error.ts'
import { type Caller, lastsUntil, makerOf } from '../access/caller.ts'
import { makerGone, mayHandOn } from '../access/hand-on.ts'
import {
  type ApiToken,
  newToken,
  shownPrefix,
  type TokenStore,
  tokenHash,
  tokenLifeMsMax,
  tokenNameCharactersMax,
} from './api-token.ts'

export interface WantedToken {
  name: string
  /** `null`: of the box. */
  accountId: string | null
  scopes: readonly string[]
  /** In milliseconds. */
  lifeMs: number
  /** `null`: a command on the box. */
  by: Caller | null
}

/**
 * Makes a token. Only this result contains its text.
 *
 * @throws OperatorError for an invalid name, scope or life; NotAllowed when a token asks for more than it has
 */
export async function createToken(
  { tokens, clock }: { tokens: TokenStore; clock: Pick<Clock, 'now'> },
  { name, accountId, scopes: written, lifeMs, by }: WantedToken,
): Promise<{ token: string; stored: ApiToken }> {
  if (name.trim() === '' || name.length > tokenNameCharactersMax) {
    throw new OperatorError(
      `Give the token a name of 1 to ${tokenNameCharactersMax} characters, so that you recognise it later.`,
      2,
    )
  }
  if (!Number.isSafeInteger(lifeMs) || lifeMs <= 0 || lifeMs > tokenLifeMsMax)
    throw new OperatorError('A token must expire within ten years: write an age such as 90d.', 2)
  const createdAt = clock.now()
  const asked = { scopes: scopesIn(written), accountId, expiresAt: createdAt + lifeMs }
  mayHandOn(by, asked)
  const token = newToken()
  const stored: ApiToken = {
    id: newId(),
    name: name.trim(),
    ...asked,
    expiresAt: Math.min(asked.expiresAt, lastsUntil(by)),
    prefix: shownPrefix(token),
    createdAt,
    revokedAt: null,
    lastUsedAt: null,
    ...makerOf(by),
  }
  if (!(await tokens.create(tokenHash(token) ?? '', stored))) throw new NotAllowed(makerGone)
  return { token, stored }
}

function scopesIn(written: readonly string[]): Scope[] {
  const known = scopes.filter((scope) => written.includes(scope))
  if (known.length > 0 && known.length === new Set(written).size) return known
  throw new OperatorError(`A token needs one or more of these scopes: ${scopes.join(', ')}.`, 2)
}

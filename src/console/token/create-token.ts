import type { Clock } from '../../lib/clock.ts'
import { newId } from '../../lib/id.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { type Scope, scopes } from '../access/scope.ts'
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
}

/** Makes a token. Only this result contains its text. @throws OperatorError for an invalid name, scope or life */
export async function createToken(
  { tokens, clock }: { tokens: TokenStore; clock: Pick<Clock, 'now'> },
  { name, accountId, scopes: written, lifeMs }: WantedToken,
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
  const token = newToken()
  const stored: ApiToken = {
    id: newId(),
    name: name.trim(),
    accountId,
    scopes: scopesIn(written),
    prefix: shownPrefix(token),
    createdAt,
    expiresAt: createdAt + lifeMs,
    revokedAt: null,
    lastUsedAt: null,
  }
  await tokens.create(tokenHash(token) ?? '', stored)
  return { token, stored }
}

function scopesIn(written: readonly string[]): Scope[] {
  const known = scopes.filter((scope) => written.includes(scope))
  if (known.length > 0 && known.length === new Set(written).size) return known
  throw new OperatorError(`A token needs one or more of these scopes: ${scopes.join(', ')}.`, 2)
}

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

/** Makes a token; its text is returned this once. @throws OperatorError for a name, scope or life that no token has */
export async function createToken(
  { tokens, clock }: { tokens: TokenStore; clock: Pick<Clock, 'now'> },
  { name, accountId, scopes: written, lifeMs }: WantedToken,
): Promise<{ token: string; stored: ApiToken }> {
  if (name.trim() === '' || name.length > tokenNameCharactersMax) {
    throw new OperatorError(
      `A token has a name of 1 to ${tokenNameCharactersMax} characters, by which you will know it again.`,
      2,
    )
  }
  if (!Number.isSafeInteger(lifeMs) || lifeMs <= 0 || lifeMs > tokenLifeMsMax)
    throw new OperatorError('A token expires within ten years: write an age such as 90d.', 2)
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
  throw new OperatorError(`A token has one or more of these scopes: ${scopes.join(', ')}.`, 2)
}

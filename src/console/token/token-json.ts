import { instant } from '../../report/instant.ts'
import type { ApiToken } from './api-token.ts'

/** A token as `token list --json` and the API show it. @param handleOf an account's handle; `null`: it is gone */
export const tokenJson = (token: ApiToken, now: number, handleOf: (accountId: string) => string | null) => ({
  id: token.id,
  name: token.name,
  account: token.accountId === null ? null : handleOf(token.accountId),
  box: token.accountId === null,
  scopes: [...token.scopes],
  prefix: token.prefix,
  state: stateOf(token, now),
  createdAt: instant(token.createdAt),
  expiresAt: instant(token.expiresAt),
  lastUsedAt: token.lastUsedAt === null ? null : instant(token.lastUsedAt),
})

function stateOf({ revokedAt, expiresAt }: ApiToken, now: number): 'usable' | 'revoked' | 'expired' {
  if (revokedAt !== null) return 'revoked'
  return now < expiresAt ? 'usable' : 'expired'
}

export type TokenJson = ReturnType<typeof tokenJson>

import { type Static, Type } from '@sinclair/typebox'
import { type Scope, scopes } from '../../account/scope.ts'
import { instant, instantOrNull } from '../../lib/instant.ts'
import { plural } from '../../lib/quantities.ts'
import { count, flag, oneOf, text, textOrNull, texts } from '../../lib/schema.ts'
import type { ApiToken, EndedWithMaker } from './api-token.ts'

/** What a token may do by its scopes. */
export const scopeWords: Readonly<Record<Scope, string>> = {
  read: 'see and export everything',
  publish: 'publish, roll back and sign links',
  release: 'work on leads and quarantine',
  erase: 'remove leads and persons for good',
  admin: 'manage keys, deliveries, users and domains',
}

/** A token as `token list --json` and the API show it. */
export const tokenSchema = Type.Object({
  id: text,
  name: text,
  account: textOrNull,
  box: flag,
  scopes: Type.Array(oneOf(scopes)),
  prefix: text,
  state: oneOf(['usable', 'revoked', 'expired']),
  createdAt: text,
  expiresAt: text,
  lastUsedAt: textOrNull,
  user: textOrNull,
  parent: textOrNull,
})

export type TokenJson = Static<typeof tokenSchema>

/** @param handleOf an account's handle; `null`: it is gone */
export const tokenJson = (token: ApiToken, now: number, handleOf: (accountId: string) => string | null): TokenJson => ({
  id: token.id,
  name: token.name,
  account: token.accountId === null ? null : handleOf(token.accountId),
  box: token.accountId === null,
  scopes: [...token.scopes],
  prefix: token.prefix,
  state: stateOf(token, now),
  createdAt: instant(token.createdAt),
  expiresAt: instant(token.expiresAt),
  lastUsedAt: instantOrNull(token.lastUsedAt),
  user: token.makerUserId,
  parent: token.makerTokenId,
})

function stateOf({ revokedAt, expiresAt }: ApiToken, now: number): TokenJson['state'] {
  if (revokedAt !== null) return 'revoked'
  return now < expiresAt ? 'usable' : 'expired'
}

/** Who made a token, in words: a token's name, or a user's address; `null`: a command, or somebody who is gone. */
export function makerNames(
  tokens: readonly Pick<ApiToken, 'id' | 'name'>[],
  users: readonly { id: string; email: string }[],
): (token: Pick<TokenJson, 'user' | 'parent'>) => string | null {
  const names = new Map([
    ...tokens.map(({ id, name }) => [id, `token ${name}`] as const),
    ...users.map(({ id, email }) => [id, email] as const),
  ])
  return ({ user, parent }) => names.get(parent ?? user ?? '') ?? null
}

/** What ended with a token or a user, as the commands, the API and the audit log show it. */
export const endedSchema = Type.Object({
  tokens: Type.Array(Type.Object({ id: text, name: text })),
  invitations: texts,
  shares: count,
  accepted: texts,
})

type Ended = Static<typeof endedSchema>

export const endedJson = ({ tokens, invitations, shares, accepted }: EndedWithMaker): Ended => ({
  tokens: tokens.map(({ id, name }) => ({ id, name })),
  invitations: [...invitations],
  shares,
  accepted: [...accepted],
})

/** The same in sentences. */
export function endedSentences({ tokens, invitations, shares, accepted }: Ended): string[] {
  const lines: string[] = []
  if (tokens.length > 0)
    lines.push(`Tokens made with this access are revoked too: ${tokens.map(({ name }) => name).join(', ')}.`)
  if (invitations.length > 0) lines.push(`Invitations are withdrawn: ${invitations.join(', ')}.`)
  if (shares > 0) lines.push(`${plural(shares, 'link')} to reports ended.`)
  if (accepted.length > 0)
    lines.push(`Users who were invited with this access stay until you remove them: ${accepted.join(', ')}.`)
  return lines
}

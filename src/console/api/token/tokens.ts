import { Type } from '@sinclair/typebox'
import { scopes } from '../../../account/scope.ts'
import { closed, count, oneOf, text, textOrNull, texts } from '../../../lib/schema.ts'
import { handlesById } from '../../account-names.ts'
import { makerEnded, tokenCreated } from '../../audit/changes.ts'
import { createToken } from '../../token/create-token.ts'
import { endedJson, tokenJson } from '../../token/token-json.ts'
import { ApiError } from '../api-error.ts'
import { pageOf } from '../cursor.ts'
import { boxEndpoint } from '../endpoint.ts'
import { boxList } from '../list.ts'

/** What ended with a token or a user. */
export const ended = Type.Object({
  tokens: Type.Array(Type.Object({ id: text, name: text })),
  invitations: texts,
  shares: count,
  accepted: texts,
})

export const listTokens = boxList({
  path: '/tokens',
  summary: 'List API tokens',
  scope: 'read',
  item: Type.Object({
    id: text,
    name: text,
    account: textOrNull,
    box: Type.Boolean(),
    scopes: Type.Array(oneOf(scopes)),
    prefix: text,
    state: oneOf(['usable', 'revoked', 'expired']),
    createdAt: text,
    expiresAt: text,
    lastUsedAt: textOrNull,
    user: textOrNull,
    parent: textOrNull,
  }),
  columns: [
    'id',
    'name',
    'account',
    { header: 'scopes', cell: ({ scopes }) => scopes.join(', ') },
    'state',
    'expiresAt',
    'lastUsedAt',
    'user',
    'parent',
  ],
  async read({ query }, { tokens, accounts, clock }) {
    const handleOf = await handlesById(accounts)
    const all = (await tokens.list()).map((token) => tokenJson(token, clock.now(), handleOf))
    return pageOf(all, query, {
      key: ({ id }) => id,
      isReversed: true,
      texts: ({ name, account }) => [name, account ?? ''],
    })
  },
})

export const createTokenEndpoint = boxEndpoint({
  method: 'POST',
  path: '/tokens',
  summary: 'Make a token and show it once',
  scope: 'admin',
  asksAgain: true,
  audited: 'token.create',
  body: closed({
    name: text,
    account: Type.Optional(Type.String({ description: 'absent: valid for every account and for the box' })),
    scopes: Type.Array(text, { minItems: 1 }),
    expiresInDays: Type.Integer({ minimum: 1, maximum: 3650 }),
  }),
  status: 201,
  answer: Type.Object({ id: text, token: text, expiresAt: text }),
  async run({ caller, body: { name, account: handle, scopes, expiresInDays } }, box) {
    const account = handle === undefined ? null : await box.accounts.find(handle)
    if (handle !== undefined && account === null) throw new ApiError('not_found')
    const wanted = { name, scopes, accountId: account?.id ?? null, lifeMs: expiresInDays * 86_400_000, by: caller }
    const { token, stored } = await createToken(box, wanted)
    return {
      value: { id: stored.id, token, expiresAt: new Date(stored.expiresAt).toISOString() },
      subject: stored.id,
      change: tokenCreated(stored),
    }
  },
})

export const revokeToken = boxEndpoint({
  method: 'DELETE',
  path: '/tokens/:token',
  summary: 'Revoke a token at once, and what was made with it',
  scope: 'admin',
  audited: 'token.revoke',
  answer: Type.Object({
    id: text,
    revokedAt: text,
    ended,
  }),
  async run({ params }, { tokens, clock }) {
    const revoked = await tokens.revoke(params.token ?? '', clock.now())
    if (revoked === null) throw new ApiError('not_found')
    const { token } = revoked
    const revokedAt = new Date(token.revokedAt ?? 0).toISOString()
    const value = { id: token.id, revokedAt, ended: endedJson(revoked.ended) }
    return { value, change: makerEnded(revoked.ended) }
  },
})

import { Type } from '@sinclair/typebox'
import { scopes } from '../../access/scope.ts'
import { handlesById } from '../../account-names.ts'
import { tokenJson } from '../../token/token-json.ts'
import { boxEndpoint } from '../endpoint.ts'
import { listAnswer, listOf, listQuery, pageOf } from '../list.ts'

const text = Type.Union([Type.String(), Type.Null()])

export const listTokens = boxEndpoint({
  method: 'GET',
  path: '/tokens',
  summary: 'List API tokens',
  scope: 'read',
  query: listQuery,
  answer: listOf(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      account: text,
      box: Type.Boolean(),
      scopes: Type.Array(Type.Union(scopes.map((scope) => Type.Literal(scope)))),
      prefix: Type.String(),
      state: Type.Union([Type.Literal('usable'), Type.Literal('revoked'), Type.Literal('expired')]),
      createdAt: Type.String(),
      expiresAt: Type.String(),
      lastUsedAt: text,
    }),
  ),
  async run({ query, request }, { tokens, accounts, clock }) {
    const handleOf = await handlesById(accounts)
    const all = (await tokens.list()).map((token) => tokenJson(token, clock.now(), handleOf))
    const page = pageOf(all, query, { key: ({ id }) => id, texts: ({ name, account }) => [name, account ?? ''] })
    return listAnswer(page, { query, url: request.url }, [
      { header: 'id', cell: ({ id }) => id },
      { header: 'name', cell: ({ name }) => name },
      { header: 'account', cell: ({ account }) => account ?? '' },
      { header: 'scopes', cell: ({ scopes }) => scopes.join(', ') },
      { header: 'state', cell: ({ state }) => state },
      { header: 'expiresAt', cell: ({ expiresAt }) => expiresAt },
      { header: 'lastUsedAt', cell: ({ lastUsedAt }) => lastUsedAt ?? '' },
    ])
  },
})

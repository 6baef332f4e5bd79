import { Type } from '@sinclair/typebox'
import { scopes } from '../../access/scope.ts'
import { handlesById } from '../../account-names.ts'
import { tokenJson } from '../../token/token-json.ts'
import { pageOf } from '../cursor.ts'
import { boxList } from '../list.ts'
import { oneOf, text, textOrNull } from '../schema.ts'

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
  }),
  columns: [
    'id',
    'name',
    'account',
    { header: 'scopes', cell: ({ scopes }) => scopes.join(', ') },
    'state',
    'expiresAt',
    'lastUsedAt',
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

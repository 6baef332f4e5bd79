import { accountNames } from '../../operations/account/account-names.ts'
import { createToken, revokeToken } from '../token/token-acts.ts'
import { tokenJson, tokenSchema } from '../token/token-json.ts'
import { actEndpoint } from './endpoint.ts'
import { boxList, pageOf } from './list.ts'

export const listTokens = boxList({
  path: '/tokens',
  summary: 'List API tokens',
  scope: 'read',
  item: tokenSchema,
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
    const { handleById } = accountNames(await accounts.list())
    const all = (await tokens.list()).map((token) => tokenJson(token, clock.now(), handleById))
    return pageOf(all, query, {
      key: ({ id }) => id,
      isReversed: true,
      texts: ({ name, account }) => [name, account ?? ''],
    })
  },
})

export const createTokenEndpoint = actEndpoint(createToken, {
  method: 'POST',
  path: '/tokens',
  sends: 'body',
  status: 201,
})

export const revokeTokenEndpoint = actEndpoint(revokeToken, { method: 'DELETE', path: '/tokens/:token' })

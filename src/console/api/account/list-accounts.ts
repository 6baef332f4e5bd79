import { Type } from '@sinclair/typebox'
import { listAccounts } from '../../../operations/account/list-accounts.ts'
import { hasPart } from '../../access/permission.ts'
import { boxEndpoint } from '../endpoint.ts'
import { listAnswer, listOf, listQuery, pageOf } from '../list.ts'

/** The accounts that the caller has access to. */
export const listAccountsEndpoint = boxEndpoint({
  method: 'GET',
  path: '/accounts',
  summary: 'List the accounts that you have access to',
  scope: 'signed_in',
  query: listQuery,
  answer: listOf(
    Type.Object({
      account: Type.String(),
      name: Type.String(),
      domains: Type.Array(Type.String()),
      forms: Type.Integer(),
      tracking: Type.Boolean(),
    }),
  ),
  async run({ caller, query, request }, box) {
    const accounts = await listAccounts(box, ({ id }) => hasPart(caller, id))
    const page = pageOf(accounts, query, {
      key: ({ account }) => account,
      texts: ({ account, name, domains }) => [account, name, ...domains],
    })
    return listAnswer(page, { query, url: request.url }, [
      { header: 'account', cell: ({ account }) => account },
      { header: 'name', cell: ({ name }) => name },
      { header: 'domains', cell: ({ domains }) => domains.join(' ') },
      { header: 'forms', cell: ({ forms }) => String(forms) },
      { header: 'tracking', cell: ({ tracking }) => String(tracking) },
    ])
  },
})

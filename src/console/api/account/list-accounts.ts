import { Type } from '@sinclair/typebox'
import { listAccounts } from '../../../operations/account/list-accounts.ts'
import { hasPart } from '../../access/permission.ts'
import { pageOf } from '../cursor.ts'
import { boxList } from '../list.ts'
import { count, text, texts } from '../schema.ts'

/** The accounts that the caller has access to. */
export const listAccountsEndpoint = boxList({
  path: '/accounts',
  summary: 'List the accounts that you have access to',
  scope: 'signed_in',
  item: Type.Object({ account: text, name: text, domains: texts, forms: count, tracking: Type.Boolean() }),
  columns: ['account', 'name', { header: 'domains', cell: ({ domains }) => domains.join(' ') }, 'forms', 'tracking'],
  read: async ({ caller, query }, box) =>
    pageOf(await listAccounts(box, ({ id }) => hasPart(caller, id)), query, {
      key: ({ account }) => account,
      texts: ({ account, name, domains }) => [account, name, ...domains],
    }),
})

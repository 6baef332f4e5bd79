import { Type } from '@sinclair/typebox'
import { anything, count, text, textOrNull, texts } from '../../lib/schema.ts'
import { removeAccount } from '../../operations/account/remove-account.ts'
import { accountRevision, listAccounts, showAccount, shownAccountJson } from '../../operations/account/show-account.ts'
import { hasPart } from '../access/permission.ts'
import { accountEndpoint, actEndpoint, etagOf } from './endpoint.ts'
import { boxList, pageOf } from './list.ts'

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

export const showAccountEndpoint = accountEndpoint({
  method: 'GET',
  path: '/accounts/:account',
  summary: 'Read the applied settings of an account and its numbers of records',
  scope: 'read',
  answersETag: true,
  answer: Type.Unsafe<ReturnType<typeof shownAccountJson>>(
    Type.Object({
      account: text,
      id: text,
      settings: anything,
      trackingKeys: Type.Array(Type.Object({ validUntil: textOrNull })),
      forms: Type.Array(anything),
      deliveries: Type.Optional(Type.Array(anything)),
      holds: Type.Record(Type.String(), count),
    }),
  ),
  run: async ({ account }, box) => ({
    value: shownAccountJson(await showAccount(box, account.handle)),
    headers: etagOf(accountRevision(account)),
  }),
})

export const removeAccountEndpoint = actEndpoint(removeAccount, {
  method: 'DELETE',
  path: '/accounts/:account',
  ifMatch: 'optional',
})

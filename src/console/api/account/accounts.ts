import { Type } from '@sinclair/typebox'
import { anything, count, text, textOrNull, texts } from '../../../lib/schema.ts'
import { removeAccount, removedAccountJson } from '../../../operations/account/remove-account.ts'
import {
  accountRevision,
  listAccounts,
  showAccount,
  shownAccountJson,
} from '../../../operations/account/show-account.ts'
import { hasPart } from '../../access/permission.ts'
import { accountRemoved } from '../../audit/changes.ts'
import { pageOf } from '../cursor.ts'
import { accountEndpoint } from '../endpoint.ts'
import { boxList } from '../list.ts'
import { etagOf } from '../preconditions.ts'

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

export const removeAccountEndpoint = accountEndpoint({
  method: 'DELETE',
  path: '/accounts/:account',
  summary: 'Remove an account with all its data',
  scope: 'admin',
  ownersOnly: true,
  asksAgain: true,
  audited: 'account.remove',
  ifMatch: 'optional',
  answer: Type.Object({
    account: text,
    removed: Type.Boolean(),
    domains: texts,
    pages: count,
    images: count,
    files: count,
    forms: count,
    records: count,
  }),
  async run({ account, known }, box) {
    const removed = await removeAccount(box, account.handle, known)
    return { value: removedAccountJson(removed, true), change: accountRemoved(removed) }
  },
})

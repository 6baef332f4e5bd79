import { Type } from '@sinclair/typebox'
import { removedAccountJson } from '../../../operations/account/account-json.ts'
import { removeAccount } from '../../../operations/account/remove-account.ts'
import { accountEndpoint } from '../endpoint.ts'
import { count, text, texts } from '../schema.ts'

export const removeAccountEndpoint = accountEndpoint({
  method: 'DELETE',
  path: '/accounts/:account',
  summary: 'Remove an account with all its data',
  scope: 'admin',
  ownersOnly: true,
  asksAgain: true,
  audited: 'account.remove',
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
  run: async ({ account }, box) => ({ value: removedAccountJson(await removeAccount(box, account.handle), true) }),
})

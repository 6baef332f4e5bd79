import { Type } from '@sinclair/typebox'
import { removedAccountJson } from '../../../operations/account/account-json.ts'
import { removeAccount } from '../../../operations/account/remove-account.ts'
import { accountEndpoint } from '../endpoint.ts'

export const removeAccountEndpoint = accountEndpoint({
  method: 'DELETE',
  path: '/accounts/:account',
  summary: 'Remove an account with all its data',
  scope: 'admin',
  clients: 'nothing',
  ownersOnly: true,
  asksAgain: true,
  audited: 'account.remove',
  answer: Type.Object({
    account: Type.String(),
    removed: Type.Boolean(),
    domains: Type.Array(Type.String()),
    pages: Type.Integer(),
    images: Type.Integer(),
    files: Type.Integer(),
    forms: Type.Integer(),
    records: Type.Integer(),
  }),
  run: async ({ account }, box) => ({ value: removedAccountJson(await removeAccount(box, account.handle), true) }),
})

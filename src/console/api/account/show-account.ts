import { Type } from '@sinclair/typebox'
import { shownAccountJson } from '../../../operations/account/account-json.ts'
import { showAccount } from '../../../operations/account/show-account.ts'
import { accountEndpoint } from '../endpoint.ts'
import { anything, count, text, textOrNull } from '../schema.ts'

export const showAccountEndpoint = accountEndpoint({
  method: 'GET',
  path: '/accounts/:account',
  summary: 'Read the applied settings of an account and its numbers of records',
  scope: 'read',
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
  run: async ({ account }, box) => ({ value: shownAccountJson(await showAccount(box, account.handle)) }),
})

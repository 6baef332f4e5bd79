import { Type } from '@sinclair/typebox'
import { shownAccountJson } from '../../../operations/account/account-json.ts'
import { showAccount } from '../../../operations/account/show-account.ts'
import { accountEndpoint } from '../endpoint.ts'

const anything = Type.Record(Type.String(), Type.Unknown())

export const showAccountEndpoint = accountEndpoint({
  method: 'GET',
  path: '/accounts/:account',
  summary: 'Read the applied settings of an account and its numbers of records',
  scope: 'read',
  clients: 'nothing',
  answer: Type.Unsafe<ReturnType<typeof shownAccountJson>>(
    Type.Object({
      account: Type.String(),
      id: Type.String(),
      settings: anything,
      trackingKeys: Type.Array(Type.Object({ validUntil: Type.Union([Type.String(), Type.Null()]) })),
      forms: Type.Array(anything),
      deliveries: Type.Optional(Type.Array(anything)),
      holds: Type.Record(Type.String(), Type.Integer()),
    }),
  ),
  run: async ({ account }, box) => ({ value: shownAccountJson(await showAccount(box, account.handle)) }),
})

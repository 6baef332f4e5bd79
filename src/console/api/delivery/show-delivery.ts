import { Type } from '@sinclair/typebox'
import { shownDeliveryJson } from '../../../operations/delivery/delivery-json.ts'
import { showDelivery } from '../../../operations/delivery/show-delivery.ts'
import { accountEndpoint } from '../endpoint.ts'
import { count, orNull, text, textOrNull } from '../schema.ts'
import { delivery } from './delivery-schema.ts'

export const showDeliveryEndpoint = accountEndpoint({
  method: 'GET',
  path: '/accounts/:account/deliveries/:delivery',
  summary: 'Read one delivery with the exchange of each try',
  scope: 'read',
  answer: Type.Object({
    ...delivery,
    exchanges: Type.Array(
      Type.Object({
        number: count,
        at: text,
        status: orNull(count),
        error: textOrNull,
        exchange: Type.String({ description: 'The recorded exchange, without secrets' }),
      }),
    ),
  }),
  run: async ({ account, params }, box) => ({
    value: shownDeliveryJson(await showDelivery(box, { account: account.handle, id: params.delivery ?? '' })),
  }),
})

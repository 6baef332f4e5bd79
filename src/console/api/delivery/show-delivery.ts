import { shownDeliveryJson } from '../../../operations/delivery/delivery-json.ts'
import { showDelivery } from '../../../operations/delivery/show-delivery.ts'
import { accountEndpoint } from '../endpoint.ts'
import { shownDeliverySchema } from './delivery-schema.ts'

export const showDeliveryEndpoint = accountEndpoint({
  method: 'GET',
  path: '/accounts/:account/deliveries/:delivery',
  summary: 'Read one delivery with the exchange of each try',
  scope: 'read',
  clients: 'nothing',
  answer: shownDeliverySchema,
  async run({ account, params }, box) {
    return { value: shownDeliveryJson(await showDelivery(box, { account: account.handle, id: params.delivery ?? '' })) }
  },
})

import { Type } from '@sinclair/typebox'
import { deliveryJson } from '../../../operations/delivery/delivery-json.ts'
import { pageOfDeliveries } from '../../../operations/delivery/list-deliveries.ts'
import { cursorOf, numberIn } from '../cursor.ts'
import { accountList } from '../list.ts'
import { delivery, state } from './delivery-schema.ts'

export const listDeliveriesEndpoint = accountList({
  path: '/accounts/:account/deliveries',
  summary: 'List deliveries, latest first',
  scope: 'read',
  query: Type.Object({ state: Type.Optional(state) }),
  item: Type.Object(delivery),
  columns: [
    'createdAt',
    'id',
    'destination',
    'kind',
    'submissionId',
    'state',
    'paused',
    'attempts',
    'nextAt',
    'lastStatus',
    'lastError',
  ],
  async read({ account, query: { state = null, q = null, limit, cursor } }, box, onNotice) {
    const wanted = { account: account.handle, state, q, limit, behind: numberIn(cursor) }
    const { deliveries, next } = await pageOfDeliveries(box, wanted, onNotice)
    return { items: deliveries.map(deliveryJson), next: cursorOf(next) }
  },
})

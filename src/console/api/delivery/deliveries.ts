import { Type } from '@sinclair/typebox'
import { count, oneOf, orNull, text, textOrNull } from '../../../lib/schema.ts'
import { destinationKind } from '../../../operations/account/shown-destination.ts'
import { deliveryJson, shownDeliveryJson } from '../../../operations/delivery/delivery-json.ts'
import { pageOfDeliveries } from '../../../operations/delivery/list-deliveries.ts'
import { retryDeliveries } from '../../../operations/delivery/retry-deliveries.ts'
import { showDelivery } from '../../../operations/delivery/show-delivery.ts'
import { actEndpoint } from '../act-endpoint.ts'
import { cursorOf, numberIn } from '../cursor.ts'
import { accountEndpoint } from '../endpoint.ts'
import { accountList } from '../list.ts'

const state = oneOf(['waiting', 'delivered', 'failed'])

/** A row of `delivery list --json`. */
const delivery = {
  id: text,
  destination: text,
  kind: destinationKind,
  submissionId: textOrNull,
  state,
  paused: Type.Boolean(),
  attempts: count,
  createdAt: text,
  nextAt: textOrNull,
  lastStatus: orNull(count),
  lastError: textOrNull,
}

const path = '/accounts/:account/deliveries'

export const listDeliveriesEndpoint = accountList({
  path,
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

export const showDeliveryEndpoint = accountEndpoint({
  method: 'GET',
  path: `${path}/:delivery`,
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

export const retryDelivery = actEndpoint(retryDeliveries, {
  method: 'POST',
  path: `${path}/:delivery/retry`,
  summary: 'Try a delivery again now',
})

export const retryDeliveriesEndpoint = actEndpoint(retryDeliveries, {
  method: 'POST',
  path: `${path}/retry`,
  sends: 'query',
  without: ['delivery'],
})

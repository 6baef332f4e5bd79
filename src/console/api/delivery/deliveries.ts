import { Type } from '@sinclair/typebox'
import { count, oneOf, orNull, text, textOrNull, texts } from '../../../lib/schema.ts'
import { deliveryJson, shownDeliveryJson } from '../../../operations/delivery/delivery-json.ts'
import { pageOfDeliveries } from '../../../operations/delivery/list-deliveries.ts'
import { type RetryWanted, retryDeliveries } from '../../../operations/delivery/retry-deliveries.ts'
import { showDelivery } from '../../../operations/delivery/show-delivery.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { ApiError } from '../api-error.ts'
import { cursorOf, numberIn } from '../cursor.ts'
import { accountEndpoint } from '../endpoint.ts'
import { accountList } from '../list.ts'
import { destinationKind } from './destinations.ts'

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

const retrying = {
  method: 'POST',
  scope: 'admin',
  audited: 'delivery.retry',
  answer: Type.Object({ account: text, retried: count, paused: texts }),
} as const

export const retryDelivery = accountEndpoint({
  ...retrying,
  path: `${path}/:delivery/retry`,
  summary: 'Try a delivery again now',
  run: ({ account, params }, box) =>
    retried(box, { account: account.handle, id: params.delivery ?? '', destination: null, failedOnly: false }),
})

export const retryDeliveriesEndpoint = accountEndpoint({
  ...retrying,
  path: `${path}/retry`,
  summary: 'Try deliveries again: all that wait or have failed, those of one destination, or only failed ones',
  query: Type.Object({
    destination: Type.Optional(Type.String({ maxLength: 60 })),
    failed: Type.Boolean({ default: false }),
  }),
  run({ account, query: { destination = null, failed } }, box) {
    if (destination !== null && failed)
      throw new ApiError('invalid', 'The parameters "destination" and "failed" exclude each other.')
    return retried(box, { account: account.handle, id: null, destination, failedOnly: failed })
  },
})

async function retried(box: ConsoleBox, wanted: RetryWanted) {
  const { account, retried, paused } = await retryDeliveries(box, wanted)
  return { value: { account, retried, paused }, subject: wanted.id ?? wanted.destination ?? wanted.account }
}

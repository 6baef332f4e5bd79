import { Type } from '@sinclair/typebox'
import { type RetryWanted, retryDeliveries } from '../../../operations/delivery/retry-deliveries.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { ApiError } from '../api-error.ts'
import { accountEndpoint } from '../endpoint.ts'
import { count, text, texts } from '../schema.ts'

const path = '/accounts/:account/deliveries'

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

import { Type } from '@sinclair/typebox'
import { deliveryJson } from '../../../operations/delivery/delivery-json.ts'
import { pageOfDeliveries } from '../../../operations/delivery/list-deliveries.ts'
import { accountEndpoint } from '../endpoint.ts'
import { listAnswer, listOf, listQuery } from '../list.ts'
import { deliveryPlace, deliveryPlaceText } from './delivery-cursor.ts'
import { deliverySchema, deliveryState } from './delivery-schema.ts'

export const listDeliveriesEndpoint = accountEndpoint({
  method: 'GET',
  path: '/accounts/:account/deliveries',
  summary: 'List deliveries, latest first',
  scope: 'read',
  clients: 'nothing',
  query: Type.Composite([listQuery, Type.Object({ state: Type.Optional(deliveryState) })]),
  answer: listOf(deliverySchema),
  async run({ account, query, request }, box) {
    const { state = null, q = null, limit, cursor } = query
    const behind = cursor === undefined ? null : deliveryPlace(cursor)
    const wanted = { account: account.handle, state, q, limit, behind }
    const { deliveries, next } = await pageOfDeliveries(box, wanted, () => {})
    const page = { items: deliveries.map(deliveryJson), next: next && deliveryPlaceText(next) }
    return listAnswer(page, { query, url: request.url }, [
      { header: 'createdAt', cell: ({ createdAt }) => createdAt },
      { header: 'id', cell: ({ id }) => id },
      { header: 'destination', cell: ({ destination }) => destination },
      { header: 'kind', cell: ({ kind }) => kind },
      { header: 'submissionId', cell: ({ submissionId }) => submissionId ?? '' },
      { header: 'state', cell: ({ state }) => state },
      { header: 'paused', cell: ({ paused }) => String(paused) },
      { header: 'attempts', cell: ({ attempts }) => String(attempts) },
      { header: 'nextAt', cell: ({ nextAt }) => nextAt ?? '' },
      { header: 'lastStatus', cell: ({ lastStatus }) => (lastStatus === null ? '' : String(lastStatus)) },
      { header: 'lastError', cell: ({ lastError }) => lastError ?? '' },
    ])
  },
})

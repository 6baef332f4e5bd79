import { Type } from '@sinclair/typebox'
import { count, oneOf, orNull, text, textOrNull, texts } from '../../lib/schema.ts'
import { destinationKind } from '../../operations/account/shown-destination.ts'
import { backfillDestination, countBackfill } from '../../operations/delivery/backfill.ts'
import {
  deliveryJson,
  pageOfDeliveries,
  retryDeliveries,
  showDelivery,
  shownDeliveryJson,
} from '../../operations/delivery/deliveries.ts'
import {
  listDestinations,
  pauseDestination,
  resumeDestination,
  rotateDeliverySecret,
  testDestination,
} from '../../operations/delivery/destinations.ts'
import { accountEndpoint, actEndpoint, acting } from './endpoint.ts'
import { accountList, cursorOf, numberIn, pageOf } from './list.ts'

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

const destinationPath = '/accounts/:account/destinations'

export const listDestinationsEndpoint = accountList({
  path: destinationPath,
  summary: 'List the destinations of submissions and reports',
  scope: 'read',
  item: Type.Object({
    name: text,
    kind: destinationKind,
    to: Type.String({ description: 'Mail addresses, or the URL; for a chat only its host' }),
    forms: orNull(texts),
    confirmed: Type.Boolean(),
    paused: Type.Boolean(),
    waiting: count,
    failed: count,
    pauseReason: orNull(oneOf(['hand', 'gone', 'failing'])),
    pausedAt: textOrNull,
    failingSince: textOrNull,
    deliveredAt: orNull(
      Type.String({ description: 'When something last got through, of the latest 10,000 deliveries of the account' }),
    ),
    obstacle: orNull(Type.String({ description: 'Why the box cannot send anything there' })),
  }),
  columns: [
    'name',
    'kind',
    'to',
    { header: 'forms', cell: ({ forms }) => forms?.join(', ') ?? '' },
    'confirmed',
    'pauseReason',
    'failingSince',
    'deliveredAt',
    'obstacle',
    'waiting',
    'failed',
  ],
  read: async ({ account, query }, box) =>
    pageOf(await listDestinations(box, account.handle), query, {
      key: ({ name }) => name,
      texts: ({ name, kind, to }) => [name, kind, to],
    }),
})

/** The act, or with `dryRun` what it would do. */
const backfillEndpoint = accountEndpoint({
  method: 'POST',
  path: `${destinationPath}/:destination/backfill`,
  summary: `${backfillDestination.text}; with dryRun, count them`,
  scope: backfillDestination.scope,
  audited: ({ dryRun }) => (dryRun ? null : backfillDestination.name),
  query: Type.Object({ since: backfillDestination.input.properties.since, dryRun: Type.Boolean({ default: false }) }),
  answer: Type.Object({ submissions: count }),
  async run({ account, caller, params, query: { since, dryRun } }, box) {
    const wanted = { account: account.handle, destination: params.destination ?? '', since }
    if (dryRun) return { value: { submissions: await countBackfill(box, wanted) } }
    const { answer } = await backfillDestination.run(box, wanted, acting(caller))
    return { value: { submissions: answer.submissions } }
  },
})

export const destinationActEndpoints = [
  backfillEndpoint,
  actEndpoint(pauseDestination, { method: 'POST', path: `${destinationPath}/:destination/pause` }),
  actEndpoint(resumeDestination, { method: 'POST', path: `${destinationPath}/:destination/resume` }),
  actEndpoint(testDestination, { method: 'POST', path: `${destinationPath}/:destination/test` }),
  actEndpoint(rotateDeliverySecret, { method: 'POST', path: `${destinationPath}/:destination/secret/rotate` }),
]

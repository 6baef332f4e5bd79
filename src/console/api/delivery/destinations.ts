import { Type } from '@sinclair/typebox'
import { count, oneOf, orNull, text, textOrNull, texts } from '../../../lib/schema.ts'
import { destinationKind } from '../../../operations/account/shown-destination.ts'
import { listDestinations } from '../../../operations/delivery/list-destinations.ts'
import { pauseDestination, resumeDestination } from '../../../operations/delivery/pause-destination.ts'
import { rotateDeliverySecret } from '../../../operations/delivery/rotate-delivery-secret.ts'
import { testDestination } from '../../../operations/delivery/test-destination.ts'
import { actEndpoint } from '../act-endpoint.ts'
import { pageOf } from '../cursor.ts'
import { accountList } from '../list.ts'

const path = '/accounts/:account/destinations'

export const listDestinationsEndpoint = accountList({
  path,
  summary: 'List the destinations of submissions and reports',
  scope: 'read',
  item: Type.Object({
    name: text,
    kind: destinationKind,
    to: Type.String({ description: 'Mail addresses, or the URL; for a chat only its host' }),
    forms: orNull(texts),
    paused: Type.Boolean(),
    waiting: count,
    failed: count,
    pauseReason: orNull(oneOf(['hand', 'gone', 'failing'])),
    pausedAt: textOrNull,
    failingSince: textOrNull,
  }),
  columns: [
    'name',
    'kind',
    'to',
    { header: 'forms', cell: ({ forms }) => forms?.join(', ') ?? '' },
    'pauseReason',
    'failingSince',
    'waiting',
    'failed',
  ],
  read: async ({ account, query }, box) =>
    pageOf(await listDestinations(box, account.handle), query, {
      key: ({ name }) => name,
      texts: ({ name, kind, to }) => [name, kind, to],
    }),
})

export const destinationActEndpoints = [
  actEndpoint(pauseDestination, { method: 'POST', path: `${path}/:destination/pause` }),
  actEndpoint(resumeDestination, { method: 'POST', path: `${path}/:destination/resume` }),
  actEndpoint(testDestination, { method: 'POST', path: `${path}/:destination/test` }),
  actEndpoint(rotateDeliverySecret, { method: 'POST', path: `${path}/:destination/secret/rotate` }),
]

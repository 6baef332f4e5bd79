import { Type } from '@sinclair/typebox'
import { listDestinations } from '../../../operations/delivery/list-destinations.ts'
import { pageOf } from '../cursor.ts'
import { accountList } from '../list.ts'
import { count, oneOf, orNull, text, textOrNull, texts } from '../schema.ts'
import { destinationKind } from './delivery-schema.ts'

export const listDestinationsEndpoint = accountList({
  path: '/accounts/:account/destinations',
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

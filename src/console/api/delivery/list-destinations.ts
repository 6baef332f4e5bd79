import { Type } from '@sinclair/typebox'
import { listDestinations } from '../../../operations/delivery/list-destinations.ts'
import { accountEndpoint } from '../endpoint.ts'
import { listAnswer, listOf, listQuery, pageOf } from '../list.ts'
import { orNull } from '../or-null.ts'
import { destinationKind } from './delivery-schema.ts'

export const listDestinationsEndpoint = accountEndpoint({
  method: 'GET',
  path: '/accounts/:account/destinations',
  summary: 'List the destinations of submissions and reports',
  scope: 'read',
  clients: 'nothing',
  query: listQuery,
  answer: listOf(
    Type.Object({
      name: Type.String(),
      kind: destinationKind,
      to: Type.String({ description: 'Mail addresses, or the URL; for a chat only its host' }),
      forms: orNull(Type.Array(Type.String())),
      paused: Type.Boolean(),
      waiting: Type.Integer(),
      failed: Type.Integer(),
      pauseReason: orNull(Type.Union([Type.Literal('hand'), Type.Literal('gone'), Type.Literal('failing')])),
      pausedAt: orNull(Type.String()),
      failingSince: orNull(Type.String()),
    }),
  ),
  async run({ account, query, request }, box) {
    const all = await listDestinations(box, account.handle)
    const page = pageOf(all, query, { key: ({ name }) => name, texts: ({ name, kind, to }) => [name, kind, to] })
    return listAnswer(page, { query, url: request.url }, [
      { header: 'name', cell: ({ name }) => name },
      { header: 'kind', cell: ({ kind }) => kind },
      { header: 'to', cell: ({ to }) => to },
      { header: 'forms', cell: ({ forms }) => forms?.join(', ') ?? '' },
      { header: 'pauseReason', cell: ({ pauseReason }) => pauseReason ?? '' },
      { header: 'failingSince', cell: ({ failingSince }) => failingSince ?? '' },
      { header: 'waiting', cell: ({ waiting }) => String(waiting) },
      { header: 'failed', cell: ({ failed }) => String(failed) },
    ])
  },
})

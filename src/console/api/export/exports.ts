import { Type } from '@sinclair/typebox'
import { accountEndpoint } from '../endpoint.ts'
import { exportAnswer } from './export-answer.ts'
import { exportedIn, exportQuery, recordQuery } from './export-query.ts'

/** What all exports share. Clients have lists instead, with personal fields masked. */
const exporting = {
  method: 'GET',
  scope: 'read',
  audited: 'export.read',
  produces: 'application/x-ndjson',
  answer: Type.String({ description: 'One JSON object a line, or CSV' }),
} as const

const path = '/accounts/:account/export'

export const exportSubmissionsEndpoint = accountEndpoint({
  ...exporting,
  path: `${path}/submissions`,
  summary: 'Export submissions, in order of receipt',
  subject: async () => 'submissions',
  query: Type.Composite([
    recordQuery,
    Type.Object({
      status: Type.Union([Type.Literal('accepted'), Type.Literal('refused'), Type.Literal('all')], {
        default: 'accepted',
      }),
    }),
  ]),
  run: ({ account, query }, box) =>
    exportAnswer(box, account, {
      what: 'submissions',
      ...exportedIn(query, box.clock.now()),
      include: query.status,
      test: query.test,
      withChanged: query.changed,
    }),
})

export const exportEventsEndpoint = accountEndpoint({
  ...exporting,
  path: `${path}/events`,
  summary: 'Export events, page views and clicks, in order of receipt',
  subject: async () => 'events',
  query: recordQuery,
  run: ({ account, query }, box) =>
    exportAnswer(box, account, {
      what: 'events',
      ...exportedIn(query, box.clock.now()),
      include: 'accepted',
      test: query.test,
      withChanged: query.changed,
    }),
})

export const exportPersonsEndpoint = accountEndpoint({
  ...exporting,
  path: `${path}/persons`,
  summary: 'Export persons, in the order in which they became known',
  subject: async () => 'persons',
  query: exportQuery,
  run: ({ account, query }, box) =>
    exportAnswer(box, account, {
      what: 'persons',
      ...exportedIn(query, box.clock.now()),
      include: 'accepted',
      test: false,
      withChanged: false,
    }),
})

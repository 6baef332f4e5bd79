import { Type } from '@sinclair/typebox'
import type { StoredAccount } from '../../../account/account.ts'
import { type ExportWanted, exportRecords } from '../../../operations/export/export-records.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { accountEndpoint } from '../endpoint.ts'
import { wholeAnswer } from '../whole-answer.ts'
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
    }),
})

/** An export as a download. Rows are read while they are sent, so memory does not grow with their number. */
async function exportAnswer(
  box: ConsoleBox,
  { handle }: StoredAccount,
  wanted: Omit<ExportWanted, 'account'>,
): Promise<Response> {
  const watch = { onNotice: () => {}, onRecord: () => {} }
  const { chunks } = await exportRecords(box, { ...wanted, account: handle }, watch)
  const isCsv = wanted.format.name === 'csv'
  return new Response(await wholeAnswer(chunks, box), {
    headers: {
      'content-type': isCsv ? 'text/csv; charset=utf-8' : 'application/x-ndjson; charset=utf-8',
      'content-disposition': `attachment; filename="${handle}-${wanted.what}.${isCsv ? 'csv' : 'jsonl'}"`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    },
  })
}

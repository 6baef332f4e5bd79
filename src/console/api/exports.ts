import { type Static, Type } from '@sinclair/typebox'
import type { StoredAccount } from '../../account/account.ts'
import { parseInstant } from '../../lib/age.ts'
import { type ExportFormat, type ExportWanted, exportRecords } from '../../operations/export/export-records.ts'
import { type CsvDialect, plainCsv } from '../../report/csv.ts'
import type { ConsoleBox } from '../console-box.ts'
import { ApiError } from './api-error.ts'
import { accountEndpoint, wholeAnswer } from './endpoint.ts'

const instantText = Type.Optional(
  Type.String({ maxLength: 40, description: 'ISO 8601 (2026-11-20, 2026-11-20T09:30:00Z) or an age (30d, 12h)' }),
)

/** A period, as the commands take it. */
const periodQuery = Type.Object({ since: instantText, until: instantText })

interface PeriodText {
  since?: string | undefined
  until?: string | undefined
}

/** Epoch milliseconds; `null`: no limit. @throws ApiError `invalid` */
function periodIn({ since, until }: PeriodText, now: number): { since: number | null; until: number | null } {
  const period = { since: instantIn('since', since, now), until: instantIn('until', until, now) }
  if (period.since !== null && period.until !== null && period.since >= period.until)
    throw new ApiError('invalid', '`since` is not before `until`.')
  return period
}

function instantIn(name: keyof PeriodText, text: string | undefined, now: number): number | null {
  if (text === undefined) return null
  const at = parseInstant(text, now)
  if (at !== null) return at
  throw new ApiError('invalid', `\`${name}\` takes an ISO 8601 time (2026-11-20T09:30:00Z) or an age (30d, 12h).`)
}

const separators: Record<string, CsvDialect['separator']> = { comma: ',', semicolon: ';', tab: '\t' }

/** The parameters of every export. */
const exportQuery = Type.Composite([
  periodQuery,
  Type.Object({
    format: Type.Union([Type.Literal('jsonl'), Type.Literal('csv')], { default: 'jsonl' }),
    separator: Type.Optional(
      Type.Union([Type.Literal('comma'), Type.Literal('semicolon'), Type.Literal('tab')], {
        description: 'of CSV; comma if absent',
      }),
    ),
    excel: Type.Boolean({ default: false, description: 'CSV that Excel reads as UTF-8' }),
  }),
])

/** The parameters of exports of records. */
const recordQuery = Type.Composite([
  exportQuery,
  Type.Object({
    test: Type.Boolean({ default: false, description: 'include submissions of the hosted test page' }),
  }),
])

/** The options that all exports share. @throws ApiError `invalid` */
const exportedIn = (
  query: Static<typeof exportQuery>,
  now: number,
): Pick<ExportWanted, 'since' | 'until' | 'format'> => ({
  ...periodIn(query, now),
  format: formatIn(query),
})

function formatIn({ format, separator, excel }: Static<typeof exportQuery>): ExportFormat {
  if (format === 'csv') {
    const dialect = { separator: separators[separator ?? 'comma'] ?? plainCsv.separator, isMarked: excel }
    return { name: 'csv', dialect }
  }
  if (separator === undefined && !excel) return { name: 'jsonl' }
  throw new ApiError('invalid', '`separator` and `excel` need format=csv.')
}

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
      form: Type.Optional(Type.String({ maxLength: 8, description: 'submissions of this form alone' })),
    }),
  ]),
  run: ({ account, query }, box) =>
    exportAnswer(box, account, {
      what: 'submissions',
      ...exportedIn(query, box.clock.now()),
      include: query.status,
      test: query.test,
      form: query.form,
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
      'content-disposition': `attachment; filename="${handle}-${wanted.form ?? wanted.what}.${isCsv ? 'csv' : 'jsonl'}"`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    },
  })
}

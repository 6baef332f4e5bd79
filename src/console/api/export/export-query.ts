import { type Static, Type } from '@sinclair/typebox'
import { parseInstant } from '../../../lib/age.ts'
import type { ExportFormat, ExportWanted } from '../../../operations/export/export-records.ts'
import { type CsvDialect, plainCsv } from '../../../report/csv.ts'
import { ApiError } from '../api-error.ts'

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
export const exportQuery = Type.Composite([
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
export const recordQuery = Type.Composite([
  exportQuery,
  Type.Object({
    test: Type.Boolean({ default: false, description: 'include submissions of the hosted test page' }),
  }),
])

/** The options that all exports share. @throws ApiError `invalid` */
export const exportedIn = (
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

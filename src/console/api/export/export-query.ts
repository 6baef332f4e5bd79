import { type Static, Type } from '@sinclair/typebox'
import type { ExportFormat, ExportWanted } from '../../../operations/export/export-records.ts'
import { type CsvDialect, plainCsv } from '../../../report/csv.ts'
import { ApiError } from '../api-error.ts'
import { periodIn, periodQuery } from '../instant-query.ts'

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
    partial: Type.Boolean({
      default: false,
      description: 'leave out records that cannot be read; without it the call is refused, or breaks off',
    }),
    excel: Type.Boolean({ default: false, description: 'CSV that Excel reads as UTF-8' }),
  }),
])

/** The parameters of exports of records. */
export const recordQuery = Type.Composite([
  exportQuery,
  Type.Object({
    test: Type.Boolean({ default: false, description: 'include submissions of the hosted test page' }),
    changed: Type.Boolean({
      default: false,
      description: 'include records that a disk fault has changed, as they are now',
    }),
  }),
])

/** The options that all exports share. @throws ApiError `invalid` */
export const exportedIn = (
  query: Static<typeof exportQuery>,
  now: number,
): Pick<ExportWanted, 'since' | 'until' | 'format'> & { partial: boolean } => ({
  ...periodIn(query, now),
  format: formatIn(query),
  partial: query.partial,
})

function formatIn({ format, separator, excel }: Static<typeof exportQuery>): ExportFormat {
  if (format === 'csv') {
    const dialect = { separator: separators[separator ?? 'comma'] ?? plainCsv.separator, isMarked: excel }
    return { name: 'csv', dialect }
  }
  if (separator === undefined && !excel) return { name: 'jsonl' }
  throw new ApiError('invalid', '`separator` and `excel` need format=csv.')
}

import type { ExportFormat } from '../../operations/export/export-records.ts'
import { type CsvDialect, plainCsv } from '../../report/csv.ts'
import { usageError } from '../command.ts'

export const separators = ['comma', 'semicolon', 'tab'] as const

const characters: Record<(typeof separators)[number], CsvDialect['separator']> = {
  comma: ',',
  semicolon: ';',
  tab: '\t',
}

interface Typed {
  format: 'jsonl' | 'csv' | undefined
  excel: boolean
  separator: (typeof separators)[number] | undefined
}

/** The requested format, by name or implied by an option of CSV. */
export function typedFormat({ format, excel, separator }: Typed): ExportFormat {
  if (!excel && separator === undefined)
    return format === 'csv' ? { name: format, dialect: plainCsv } : { name: 'jsonl' }
  if (format === 'jsonl') throw usageError(`${excel ? '--excel' : '--separator'} goes with --format csv.`)
  return { name: 'csv', dialect: { separator: characters[separator ?? 'comma'], isMarked: excel } }
}

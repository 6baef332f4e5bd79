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

/** The format that was asked for, by its name or by what only CSV has. */
export function typedFormat({ format, excel, separator }: Typed): { format: 'jsonl' | 'csv'; dialect: CsvDialect } {
  if (!excel && separator === undefined) return { format: format ?? 'jsonl', dialect: plainCsv }
  if (format === 'jsonl') throw usageError(`${excel ? '--excel' : '--separator'} goes with --format csv.`)
  return { format: 'csv', dialect: { separator: characters[separator ?? 'comma'], isMarked: excel } }
}

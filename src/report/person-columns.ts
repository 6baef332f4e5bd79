import { attributionColumns } from './attribution-columns.ts'
import { type Column, fields } from './csv.ts'
import type { PersonRecord } from './person-record.ts'

/** Columns of an export of persons; traits have no fixed shape and are JSON. */
export const personColumns: Column<PersonRecord>[] = [
  ...fields<PersonRecord>('personId', 'email', 'traits', 'firstSeenAt', 'lastSeenAt', 'deviceIds'),
  ...attributionColumns,
  ...fields<PersonRecord>('submissions', 'events'),
]

import { attributionColumns } from './attribution-columns.ts'
import { cellText } from './cell-text.ts'
import type { Column } from './csv.ts'
import type { PersonRecord } from './person-record.ts'

/** Columns of an export of persons; traits have no fixed shape and are JSON. */
export const personColumns: Column<PersonRecord>[] = [
  { header: 'personId', cell: (record) => record.personId },
  { header: 'email', cell: (record) => record.email },
  { header: 'traits', cell: (record) => cellText(record.traits) },
  { header: 'firstSeenAt', cell: (record) => cellText(record.firstSeenAt) },
  { header: 'lastSeenAt', cell: (record) => cellText(record.lastSeenAt) },
  { header: 'deviceIds', cell: (record) => cellText(record.deviceIds) },
  ...attributionColumns,
  { header: 'submissions', cell: (record) => cellText(record.submissions) },
  { header: 'events', cell: (record) => cellText(record.events) },
]

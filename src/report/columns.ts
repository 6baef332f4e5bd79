import type { Form } from '../account/form.ts'
import type { RequestSource } from '../ledger/entry.ts'
import { isJsonObject } from '../lib/lossless-json.ts'
import { attributionColumns } from './attribution-columns.ts'
import { cellText } from './cell-text.ts'
import type { Column } from './csv.ts'
import { jsonText } from './json-text.ts'
import type { EventRecord, SubmissionRecord } from './record.ts'

/** The most declared properties with their own column; spreadsheets end at 16,384. Further ones go to `otherFields`. */
const declaredColumnsMax = 4096

const sourceColumns: Column<{ source: RequestSource }>[] = [
  { header: 'source.ip', cell: ({ source }) => cellText(source.ip) },
  { header: 'source.userAgent', cell: ({ source }) => cellText(source.userAgent) },
  { header: 'source.origin', cell: ({ source }) => cellText(source.origin) },
  { header: 'source.referer', cell: ({ source }) => cellText(source.referer) },
  { header: 'source.host', cell: ({ source }) => cellText(source.host) },
]

/** Columns of an export of events; values without a fixed shape are JSON. */
export const eventColumns: Column<EventRecord>[] = [
  { header: 'eventId', cell: (record) => record.eventId },
  { header: 'event', cell: (record) => record.event },
  { header: 'origin', cell: (record) => record.origin },
  { header: 'receivedAt', cell: (record) => record.receivedAt },
  { header: 'deviceId', cell: (record) => record.deviceId },
  { header: 'personId', cell: (record) => cellText(record.personId) },
  { header: 'properties', cell: (record) => cellText(record.properties) },
  { header: 'traits', cell: (record) => cellText(record.traits) },
  { header: 'attribution', cell: (record) => cellText(record.attribution) },
  { header: 'consent', cell: (record) => record.consent },
  { header: 'test', cell: (record) => cellText(record.test) },
  ...sourceColumns,
]

const fixedSubmissionColumns: Column<SubmissionRecord>[] = [
  { header: 'submissionId', cell: (record) => record.submissionId },
  { header: 'formId', cell: (record) => record.formId },
  { header: 'formVersion', cell: (record) => cellText(record.formVersion) },
  { header: 'receivedAt', cell: (record) => record.receivedAt },
  { header: 'status', cell: (record) => record.status },
  { header: 'refusedFor', cell: (record) => cellText(record.refusedFor) },
  { header: 'identity.email', cell: (record) => cellText(record.identity.email) },
  { header: 'personId', cell: (record) => cellText(record.personId) },
  { header: 'deviceId', cell: (record) => cellText(record.deviceId) },
  { header: 'consentTextId', cell: (record) => cellText(record.consentTextId) },
  { header: 'honeypot.field', cell: (record) => cellText(record.honeypot.field) },
  { header: 'honeypot.value', cell: (record) => cellText(record.honeypot.value) },
  { header: 'botCheck.required', cell: (record) => cellText(record.botCheck.required) },
  { header: 'botCheck.provider', cell: (record) => cellText(record.botCheck.provider) },
  { header: 'botCheck.verified', cell: (record) => cellText(record.botCheck.verified) },
  ...attributionColumns,
  { header: 'duplicateOf', cell: (record) => cellText(record.duplicateOf) },
  { header: 'page.slug', cell: (record) => cellText(record.page?.slug ?? null) },
  { header: 'page.sha256', cell: (record) => cellText(record.page?.sha256 ?? null) },
  { header: 'test', cell: (record) => cellText(record.test) },
  ...sourceColumns,
]

const otherFieldsHeader = 'otherFields'

/**
 * Columns of an export of submissions: the fixed ones, one for each property that the forms declare, and the fields
 * that none of them declares as JSON (contract section 5).
 */
export function submissionColumns(forms: Form[]): Column<SubmissionRecord>[] {
  const declared = declaredProperties(forms)
  const taken = new Set([...fixedSubmissionColumns.map((column) => column.header), otherFieldsHeader])
  const columns = [...declared].map((property): Column<SubmissionRecord> => {
    const header = freeHeader(property, taken)
    taken.add(header)
    return { header, cell: ({ fields }) => (Object.hasOwn(fields, property) ? cellText(fields[property] ?? null) : '') }
  })
  return [
    ...fixedSubmissionColumns,
    ...columns,
    { header: otherFieldsHeader, cell: (record) => others(record, declared) },
  ]
}

/** The names of all declared properties, in order of the forms and of each form's schema. */
function declaredProperties(forms: Form[]): Set<string> {
  const names = forms.flatMap(({ schema: { properties } }) => (isJsonObject(properties) ? Object.keys(properties) : []))
  return new Set([...new Set(names)].slice(0, declaredColumnsMax))
}

/** A form may declare `status` or `fields.status`; the header of each column is still unique. */
function freeHeader(property: string, taken: Set<string>): string {
  return taken.has(property) ? freeHeader(`fields.${property}`, taken) : property
}

function others({ fields }: SubmissionRecord, declared: Set<string>): string {
  const rest = Object.entries(fields).filter(([name]) => !declared.has(name))
  return rest.length === 0 ? '' : jsonText(Object.fromEntries(rest))
}

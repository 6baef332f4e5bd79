import type { Form } from '../account/form.ts'
import { isJsonObject } from '../lib/lossless-json.ts'
import { cellText } from './cell-text.ts'
import type { Column } from './csv.ts'
import { jsonText } from './json-text.ts'
import { fixedSubmissionColumns, type SubmissionRecord } from './record.ts'

/** The most declared properties with their own column; spreadsheets end at 16,384. Further ones go to `otherFields`. */
const declaredColumnsMax = 4096

const otherFieldsHeader = 'otherFields'

/**
 * Columns of an export of submissions: the fixed ones, one for each property that the forms declare, and the fields
 * that none of them declares as JSON (docs/exports.md).
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

import type { JsonObject, JsonValue } from '../lib/json-value.ts'
import { isJsonObject } from '../lib/lossless-json.ts'

/** What carriers learn of a submission. A stranger typed all of it except the names of account and form. */
export interface Lead {
  accountName: string
  handle: string
  /** The account's first connected domain. */
  domain: string
  /** IANA name: times are shown in this zone. */
  timezone: string
  /** The account's brand colour, `#rrggbb`; `null`: it has none. */
  colour: string | null
  /** The account's contact address; `null`: its contact is not an e-mail address. */
  contact: string | null
  formId: string
  formName: string
  /** The form's fields in its order, then others in the order of sending. Values that are not text stand as JSON. */
  fields: readonly LeadField[]
  /** The visitor's address, lower-case; `null`: the submission holds none. */
  replyTo: string | null
  /** Epoch milliseconds. */
  receivedAt: number
  submissionId: string
  /** Most likely repeats an earlier one. */
  duplicate: boolean
  /** The submission as exported (docs/exports.md). */
  record: JsonObject
}

export interface LeadField {
  /** The title in the form's schema, or else the field's own name. */
  name: string
  value: string
}

/** Reads submissions for carriers. */
export interface LeadReader {
  /** In the order of the ids; `null`: unreadable or gone. */
  leads(accountId: string, submissionIds: readonly string[]): Promise<(Lead | null)[]>
}

interface FieldOptions {
  /** The form's schema. */
  schema: JsonObject
  /** The honeypot, a field for machines alone; `null`: none. */
  hidden: string | null
}

/** What a visitor sent: first the form's fields in its order, then others in the order of sending. */
export function leadFields(fields: JsonObject, { schema, hidden }: FieldOptions): LeadField[] {
  const properties = isJsonObject(schema.properties) ? schema.properties : {}
  const declared = Object.keys(properties).filter((name) => Object.hasOwn(fields, name))
  const others = Object.keys(fields).filter((name) => !Object.hasOwn(properties, name))
  return [...declared, ...others]
    .filter((name) => name !== hidden)
    .map((name) => ({ name: titleOf(properties, name), value: valueText(fields[name] ?? null) }))
}

function titleOf(properties: JsonObject, name: string): string {
  const property = Object.hasOwn(properties, name) ? properties[name] : undefined
  const title = isJsonObject(property) ? property.title : undefined
  return typeof title === 'string' && title.trim() !== '' ? title : name
}

/** Numbers keep their digits. */
const valueText = (value: JsonValue): string => (typeof value === 'string' ? value : JSON.stringify(value))

import type { JsonObject, JsonValue } from '../lib/json-value.ts'
import { isJsonObject } from '../lib/lossless-json.ts'
import type { LeadField } from './lead.ts'

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

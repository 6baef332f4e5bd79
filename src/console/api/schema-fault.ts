import { KindGuard, type TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'

/** Where the value does not fit its schema, and what is expected there: ` at "/role": Expected "admin" or "viewer"`. Never the value. */
export function schemaFault(schema: TSchema, value: unknown): string {
  const fault = Value.Errors(schema, value).First()
  if (fault === undefined) return ''
  const expected = KindGuard.IsUnion(fault.schema) ? `Expected ${expectedBy(fault.schema)}` : fault.message
  return `${fault.path === '' ? '' : ` at "${fault.path}"`}: ${expected}`
}

function expectedBy(schema: TSchema): string {
  if (KindGuard.IsUnion(schema)) return schema.anyOf.map(expectedBy).join(' or ')
  if (KindGuard.IsLiteral(schema)) return JSON.stringify(schema.const)
  if (KindGuard.IsObject(schema)) return `{ ${Object.entries(schema.properties).map(member).join(', ')} }`
  return KindGuard.IsNull(schema)
    ? 'null'
    : `${/^[aeiou]/.test(schema.type ?? '') ? 'an' : 'a'} ${schema.type ?? 'value'}`
}

function member([name, schema]: [string, TSchema]): string {
  const shown = KindGuard.IsLiteral(schema) ? `${name}: ${expectedBy(schema)}` : name
  return KindGuard.IsOptional(schema) ? `${shown} (optional)` : shown
}

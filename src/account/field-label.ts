import type { JsonObject, JsonValue } from '../lib/json-value.ts'
import { isJsonObject } from '../lib/lossless-json.ts'
import type { Form } from './form.ts'

/** What a form's schema says of a field; `null`: nothing. */
export function declaredField(form: Pick<Form, 'schema'> | null, name: string): JsonObject | null {
  const { properties } = form?.schema ?? {}
  const declared = isJsonObject(properties) && Object.hasOwn(properties, name) ? properties[name] : null
  return isJsonObject(declared) ? declared : null
}

/** What a form gives to choose from in a field, one or several: the operator's values, not the visitor's. */
export const choicesOf = (form: Pick<Form, 'schema'> | null, name: string): JsonValue[] =>
  choicesIn(declaredField(form, name))

function choicesIn(field: JsonValue | undefined): JsonValue[] {
  if (!isJsonObject(field)) return []
  const { enum: offered = [], const: only = [], type = [], items } = field
  return [offered, only, [type].flat().includes('boolean') ? [true, false] : [], choicesIn(items)].flat()
}

/** What a field is called for people: the title in the form's schema, else its name made readable (`preferred_day`: "Preferred day"). */
export function fieldLabel(form: Pick<Form, 'schema'> | null, name: string): string {
  const { title } = declaredField(form, name) ?? {}
  return (typeof title === 'string' && title.trim()) || readableName(name)
}

/** Words end at `_`, `-`, `.` and brackets, and where camel case turns. */
function readableName(name: string): string {
  const words = name
    .replace(/[_\-.[\]\s]+/g, ' ')
    .replace(/(\p{Ll})(\p{Lu})/gu, (_, before: string, after: string) => `${before} ${after.toLowerCase()}`)
    .trim()
  if (words === '') return name
  const [first = '', ...rest] = words
  return first.toUpperCase() + rest.join('')
}

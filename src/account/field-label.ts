import type { JsonObject } from '../lib/json-value.ts'
import { isJsonObject } from '../lib/lossless-json.ts'
import type { Form } from './form.ts'

/** What a form's schema says of a field; `null`: nothing. */
export function declaredField(form: Pick<Form, 'schema'> | null, name: string): JsonObject | null {
  const { properties } = form?.schema ?? {}
  const declared = isJsonObject(properties) && Object.hasOwn(properties, name) ? properties[name] : null
  return isJsonObject(declared) ? declared : null
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

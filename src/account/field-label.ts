import { isJsonObject } from '../lib/lossless-json.ts'
import type { Form } from './form.ts'

/** What a field is called for people: the title in the form's schema, else its name made readable (`preferred_day`: "Preferred day"). */
export function fieldLabel(form: Pick<Form, 'schema'> | null, name: string): string {
  const { properties } = form?.schema ?? {}
  const declared = isJsonObject(properties) && Object.hasOwn(properties, name) ? properties[name] : null
  const title = isJsonObject(declared) && typeof declared.title === 'string' ? declared.title.trim() : ''
  return title === '' ? readableName(name) : title
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

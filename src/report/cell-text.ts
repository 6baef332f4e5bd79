import type { JsonValue } from '../lib/json-value.ts'
import { jsonText } from './json-text.ts'

/** A value as a cell: nothing for `null`, a text as it is, a number with the digits it was sent with, else JSON. */
export function cellText(value: JsonValue): string {
  if (value === null) return ''
  return typeof value === 'string' ? value : jsonText(value)
}

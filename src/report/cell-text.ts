import type { JsonValue } from '../lib/json-value.ts'
import { jsonText } from './json-text.ts'

/** A value as a cell: empty for `null`, text unchanged, a number with the digits that were sent, anything else as JSON. */
export function cellText(value: JsonValue): string {
  if (value === null) return ''
  return typeof value === 'string' ? value : jsonText(value)
}

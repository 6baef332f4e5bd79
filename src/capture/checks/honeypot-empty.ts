import type { JsonValue } from '../../lib/json-value.ts'

/** Form check 7: absent, `null`, or white space only. */
export function honeypotEmpty(value: JsonValue | undefined): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '')
}

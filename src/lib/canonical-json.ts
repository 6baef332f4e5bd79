import type { JsonValue } from './json-value.ts'
import { isJsonObject } from './lossless-json.ts'

/** Canonical JSON: equal values give equal text. Keys are ordered by code units, numbers keep their digits. */
export function canonicalJson(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (!isJsonObject(value)) return JSON.stringify(value)
  const members = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key] ?? null)}`)
  return `{${members.join(',')}}`
}
